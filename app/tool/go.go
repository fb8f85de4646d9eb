package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Go asks the go command about the tree in a folder: it compiles at most, and runs nothing of what it compiles. It
// does not start git, and takes no toolchain that the tree names, unless the environment says so (GOTOOLCHAIN).
type Go struct {
	Dir string
	// Offline takes modules from this machine alone.
	Offline bool
	// Limit bounds the answer, AskLimit by default.
	Limit time.Duration
	// Set are further variables of its environment, as NAME=value, in place of those there.
	Set []string
}

// How long the go command may take. Compiling all that a large program imports takes a small machine ten minutes.
const (
	AskLimit     = 2 * time.Minute
	CompileLimit = 40 * time.Minute
)

// NoVCS has the go command put no revision into what it builds. For that it would run git in the tree, with all that
// the tree's configuration names.
const NoVCS = "-buildvcs=false"

// Run runs a subcommand and returns all that it wrote. An error is the context's, a *LimitError, that there is no go
// command, or an *exec.ExitError.
func (g Go) Run(ctx context.Context, subcommand string, args ...string) (stdout, stderr []byte, err error) {
	c := call{dir: g.Dir, name: "go", args: []string{subcommand}, env: g.Environment(), limit: g.Limit}
	if c.limit == 0 {
		c.limit = AskLimit
	}
	if subcommand == "list" || subcommand == "vet" || subcommand == "build" {
		c.args = append(c.args, NoVCS)
	}
	c.args = append(c.args, args...)
	stdout, stderr, err = c.run(ctx)
	if errors.Is(err, exec.ErrNotFound) {
		err = errors.New("the go command is not in $PATH, which reading the code needs")
	}
	return stdout, stderr, err
}

// Output is Run for who wants the answer or an error that ends with what the go command said, of files below Dir: where
// a tree was checked out says nothing to who reads the log of a CI.
func (g Go) Output(ctx context.Context, subcommand string, args ...string) ([]byte, error) {
	out, stderr, err := g.Run(ctx, subcommand, args...)
	if filepath.IsAbs(g.Dir) {
		stderr = bytes.ReplaceAll(stderr, []byte(filepath.Clean(g.Dir)+string(filepath.Separator)), []byte("./"))
	}
	return out, said(err, "go "+subcommand, out, stderr)
}

// Values reads JSON values that the go command prints one behind another.
func Values[T any](out []byte) (all []T, err error) {
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var v T
		if err := dec.Decode(&v); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("what the go command says cannot be read: %w", err)
		}
		all = append(all, v)
	}
}

// Environment is that of the go command. package packages takes it, with NoVCS as a flag; it asks the go command
// itself, and not what stands in for it with other builders.
func (g Go) Environment() []string {
	env := append(slices.DeleteFunc(os.Environ(), elsewhere), "GOPACKAGESDRIVER=off")
	if os.Getenv("GOTOOLCHAIN") == "" {
		env = append(env, "GOTOOLCHAIN=local")
	}
	if g.Offline {
		env = append(env, "GOPROXY=off")
	}
	return append(env, g.Set...)
}

// kept are the variables that tests of somebody else's change get: what the go command needs, and nothing that a person
// may have put into their own for other programs, such as a password.
var kept = [...]string{"PATH", "LANG", "LC_ALL", "TZ", "SYSTEMROOT", "GOOS", "GOARCH", "CGO_ENABLED", "CC", "CXX"}

// Test runs the tests of packages, and so code of the tree, in an environment of their own: home stands in for the home
// and the temporary folder. It returns what was printed; an error ends with the last lines of it.
func (g Go) Test(ctx context.Context, home string, packages ...string) ([]byte, error) {
	where, err := g.Output(ctx, "env", "GOROOT", "GOPATH", "GOMODCACHE", "GOCACHE")
	if err != nil {
		return nil, err
	}
	var env []string
	for _, name := range kept {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	for i, v := range strings.Split(strings.TrimSpace(string(where)), "\n") {
		if i < 4 {
			env = append(env, [...]string{"GOROOT", "GOPATH", "GOMODCACHE", "GOCACHE"}[i]+"="+v)
		}
	}
	env = append(env, "HOME="+home, "TMPDIR="+home, "GOENV=off", "GOTOOLCHAIN=local")
	if g.Offline {
		env = append(env, "GOPROXY=off")
	}
	c := call{dir: g.Dir, name: "go", args: append([]string{"test", NoVCS}, packages...), env: append(env, g.Set...),
		limit: g.Limit}
	if c.limit == 0 {
		c.limit = AskLimit
	}
	out, stderr, err := c.run(ctx)
	return out, said(err, "go test", out, stderr)
}

// Tool returns where a tool of the Go distribution is. It is asked for outside of any module: `go tool` would build one
// that the tree's go.mod names so.
func (g Go) Tool(ctx context.Context, name string) (path string, stderr []byte, err error) {
	c := call{dir: g.Dir, name: "go", args: []string{"tool", "-n", name}, limit: AskLimit,
		env: append(g.Environment(), "GO111MODULE=off", "GOWORK=off")}
	out, stderr, err := c.run(ctx)
	return strings.TrimSpace(string(out)), stderr, err
}
