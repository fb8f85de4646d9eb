package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// places are where go commands get modules from and put them, so that none of a release comes into the user's module
// cache: the next one of the same version would find it there.
type places struct {
	dir  string // of the release
	user string // GOMODCACHE of the user
}

func newPlaces(ctx context.Context, dir string) (places, error) {
	text, err := run(ctx, dir, nil, "go", "env", "-json", "GOMODCACHE")
	if err != nil {
		return places{}, err
	}
	var env struct{ GOMODCACHE string }
	err = json.Unmarshal([]byte(text), &env)
	return places{dir, env.GOMODCACHE}, err
}

// outside is for commands that see no module of the release: as the user has it, without the workspace.
func (p places) outside() []string { return []string{"GOWORK=off", "GOFLAGS="} }

// proxy is a module cache that has our modules and nothing else.
func (p places) proxy() string { return filepath.Join(p.dir, "proxy") }

// fromGit is for the download of our modules into proxy: from the tags of the clone, as if it were on GitHub.
func (p places) fromGit(clone string) []string {
	return append(p.common(p.proxy()), "GOPROXY=direct",
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=url.file://"+clone+".insteadOf", "GIT_CONFIG_VALUE_0=https://"+root)
}

// inside is for commands that get our modules from proxy, others from the user's module cache, and none from elsewhere:
// go asks for github.com/gocasebook/casebook/app/cmd, too, which is no module, and would ask the whole chain for it.
func (p places) inside() []string {
	download := func(cache string) string {
		return "file://" + filepath.ToSlash(filepath.Join(cache, "cache", "download"))
	}
	return append(p.common(filepath.Join(p.dir, "modules")), "GOPROXY="+download(p.proxy())+","+download(p.user))
}

// common: with -trimpath what is compiled does not depend on the place of the module cache, so that the build cache has
// it the next time.
func (p places) common(cache string) []string {
	return []string{"GOWORK=off", "GOMODCACHE=" + cache, "GOFLAGS=-modcacherw -trimpath",
		"GOPRIVATE=", "GONOPROXY=", "GONOSUMDB=",
		"GOSUMDB=off", "GOBIN=" + filepath.Join(p.dir, "bin")}
}

// run runs a command in dir with these settings beside the environment, and returns what it printed.
func run(ctx context.Context, dir string, env []string, name string, args ...string) (string, error) {
	var out, errors bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errors
	cmd.Env = append(os.Environ(), env...)
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s%s", strings.Join(cmd.Args, " "), err, out.String(), errors.String())
	}
	return out.String(), nil
}
