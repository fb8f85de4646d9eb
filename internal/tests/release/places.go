package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/gocasebook/casebook/internal/flock"
)

// places are where go commands get modules from and put them. None of a release comes into the user's module cache: the
// next one of the same version would find it there.
type places struct {
	dir   string // of the release
	cache string // a module cache that stays: what is compiled from it stays in the build cache
	user  string // GOMODCACHE of the user
	lock  *os.File
}

func newPlaces(ctx context.Context, dir string) (places, error) {
	text, err := run(ctx, dir, nil, "go", "env", "-json", "GOMODCACHE")
	if err != nil {
		return places{}, err
	}
	var env struct{ GOMODCACHE string }
	if err := json.Unmarshal([]byte(text), &env); err != nil {
		return places{}, err
	}
	cache, err := os.UserCacheDir() // not in the repository: whatever walks that would find all modules in it
	if err != nil {
		return places{}, err
	}
	p := places{dir: dir, cache: filepath.Join(cache, "casebook-release"), user: env.GOMODCACHE}
	return p, p.empty()
}

// empty locks the module cache, for one release at a time, and takes out what an earlier one left of our modules.
func (p *places) empty() (err error) {
	if err := os.MkdirAll(p.cache, 0o755); err != nil {
		return err
	}
	if p.lock, err = os.Create(filepath.Join(p.cache, "lock")); err != nil {
		return err
	}
	if err := flock.Try(p.lock); errors.Is(err, flock.ErrInUse) {
		return fmt.Errorf("another release is made at the moment, in %s", p.cache)
	}
	ours := filepath.Dir(filepath.FromSlash(root))
	for _, dir := range []string{filepath.Join(p.cache, ours), filepath.Join(p.cache, "cache", "download", ours)} {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	return nil
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
	return append(p.common(p.cache), "GOPROXY="+download(p.proxy())+","+download(p.user))
}

// common holds whatever the cache.
func (p places) common(cache string) []string {
	// goindex: the go command keeps an index of a module in a cache by its folder, since a version never changes. Here
	// the same version is made again and again.
	// What is compiled of other people's modules is what lab/dist has compiled, whatever the folder of the cache.
	return []string{"GOWORK=off", "GODEBUG=goindex=0", "GOMODCACHE=" + cache, "CGO_ENABLED=0",
		"GOFLAGS=-modcacherw -trimpath -gcflags=all=-dwarf=false", "GOPRIVATE=",
		"GONOPROXY=", "GONOSUMDB=",
		"GOSUMDB=off", "GOBIN=" + filepath.Join(p.dir, "bin")}
}

// run runs a command in dir with these settings beside the environment, and returns what it printed.
func run(ctx context.Context, dir string, env []string, name string, args ...string) (string, error) {
	var out, problems bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &problems
	cmd.Env = append(os.Environ(), env...)
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s%s", strings.Join(cmd.Args, " "), err, out.String(), problems.String())
	}
	return out.String(), nil
}
