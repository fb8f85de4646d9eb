//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// theirs is a service that nobody here wrote, as its users install it. It was taken because it is small, serves its
// profiles beside its only page, and works hard for it.
const theirs = "github.com/prometheus/node_exporter@v1.12.1"

// buildTheirs builds it from the module proxy. It is static, because the clean root may have another C library.
func buildTheirs(ctx context.Context, dir string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "install", theirs)
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=", "CGO_ENABLED=0", "GOBIN="+dir)
	if text, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building %s: %w\n%s", theirs, err, text)
	}
	name, _, _ := strings.Cut(filepath.Base(theirs), "@")
	return filepath.Join(dir, name), nil
}

// theirService is that service in the new user's root, asked 20 times a second for what a Prometheus asks every 15 s:
// as if 300 of them did. A process that does next to nothing would have nothing to say.
func (t *trial) theirService(file string) (service, error) {
	program := "/usr/local/bin/" + filepath.Base(file)
	if err := t.user.put(file, program, 0o755); err != nil {
		return service{}, err
	}
	other := &clean{dir: t.user.dir, user: 1001, home: "/"}
	return service{rate: "20", url: "http://127.0.0.1:6060/metrics", start: func(ctx context.Context) *exec.Cmd {
		return other.command(ctx, program, "--web.listen-address=127.0.0.1:6060")
	}}, nil
}

// theirDiagnosis is the first diagnosis of a service that its user did not write either. What is wrong with it, if
// anything, nobody has said beforehand. But it must name lines, and none of Casebook's own.
func (t *trial) theirDiagnosis(ctx context.Context) error {
	fmt.Fprintf(t.out, "The same with %s under load:\n", theirs)
	said, err := t.diagnosis(ctx, "theirs")
	if err == nil && (!strings.Contains(said, ".go:") || strings.Contains(said, "gocasebook/casebook/app")) {
		err = fmt.Errorf("the diagnosis of %s names no line, or one of Casebook", theirs)
	}
	return err
}
