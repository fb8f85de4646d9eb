//go:build linux

package cli_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// TestPGOProve measures a service built with its own profile against one built without. How much it brings depends on
// the machine; what is printed, what the JSON has and the exit code must say the same.
func TestPGOProve(t *testing.T) {
	t.Parallel()
	// Recorded, because all that the server links is compiled again for each other profile: a minute of CPU.
	cpu, out := filepath.Join("testdata", "pgo", "server.cpu.pb.gz"), filepath.Join(t.TempDir(), "default.pgo")
	args := []string{"pgo", "--main", "../prove/server", "-o", out, "--prove", "-addr 127.0.0.1:{port} -rounds 50",
		"--url", "/work", "--rate", "50", "--slice", "200ms", "--warmup", "200ms", "--profile", "-1s", "--max-time", "20s"}
	got := inProcess(t, append(args, cpu)...)
	words := map[int]string{0: "worth it:", 1: "not worth it:", 3: "cannot tell:"}
	want, ok := words[got.code]
	if !ok || !strings.Contains(got.out, "\n"+want) {
		t.Fatalf("exit code %d and\n%s\n%s\nwant %q", got.code, got.out, got.errors, want)
	}
	for _, text := range []string{"no PGO", "with PGO", "cpu_per_request"} {
		if !strings.Contains(got.out, text) {
			t.Errorf("%q is missing in\n%s", text, got.out)
		}
	}
	got = inProcess(t, append(args, "--json", cpu)...)
	var res struct {
		Verdict string
		Proof   *struct {
			Worth  bool
			Proof  casefile.Proof
			Blocks []any
		}
	}
	if err := json.Unmarshal([]byte(got.out), &res); err != nil {
		t.Fatal(errors.Join(err, fmt.Errorf("%s", got.errors)))
	}
	if p := res.Proof; p == nil || len(p.Blocks) == 0 || p.Worth != (p.Proof.Verdict == casefile.Better) ||
		p.Worth != (got.code == 0) {
		t.Errorf("exit code %d with %+v", got.code, res.Proof)
	}
	if left := binariesIn(t, "casebook-pgo-"); len(left) > 0 {
		t.Errorf("servers are left: %v", left)
	}
}

// binariesIn are the processes whose program is in a folder of the name.
func binariesIn(t *testing.T, name string) (left []string) {
	t.Helper()
	links, err := filepath.Glob("/proc/[0-9]*/exe")
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range links {
		if exe, err := os.Readlink(l); err == nil && strings.Contains(exe, name) {
			left = append(left, exe)
		}
	}
	return left
}

func TestPGOProveRefuses(t *testing.T) {
	t.Parallel()
	inProcess(t, "pgo", "-o", "-", "--rate", "50", recordedClaims(t)).want(t, 2, "--prove")
	inProcess(t, "pgo", "-o", "-", "--prove", "-addr :{port}", "--rate", "50", recordedClaims(t)).want(t, 2, "-o")
	inProcess(t, "pgo", "--prove", "-addr :{port}", recordedClaims(t)).want(t, 2, "--rate")
	out := filepath.Join(t.TempDir(), "default.pgo")
	inProcess(t, "pgo", "--main", "../cmd/casebook", "-o", out, "--prove", "version", "--rate", "50",
		recordedClaims(t)).want(t, 2, "{port}")
}
