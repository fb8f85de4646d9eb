// Package tool runs git, the go command, and what they build, in source trees.
//
// The problem: a tree that somebody else wrote brings its own configuration. `git status` runs core.fsmonitor, filters
// and hooks of its .git/config, and a go.mod can name a toolchain to fetch. Reading such a tree must run nothing of it.
// The approach: every call of git is a Git, every question to the go command a Go. Both take away what the tree could
// run, and end after a while. Run is for what runs the tree's code on purpose: its tests, its benchmarks, its server.
//
// The limits: the configuration of the person who runs Casebook (~/.gitconfig, the environment, go env -w) is theirs,
// and is trusted. The Go compiler, and a C compiler and pkg-config where a package uses cgo, read the tree. Go's own
// rule is that they run nothing of it (go.dev/doc/security/policy), and its list of allowed cgo flags sees to that.
package tool

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/child"
)

// waitDelay is how long the output of a tool that has ended may stay open in its own child.
const waitDelay = 5 * time.Second

// maxOutput bounds what is kept of a tool's output; a million benchmark results are less.
const maxOutput = 256 << 20

// Run runs a program that may run code of the tree (go build, a test binary) in dir and returns what it printed. It dies
// with its children when ctx ends, which gives the context's cause; other errors end with the last lines that it wrote.
// Of its output the first 256 MiB are kept.
func Run(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	c := call{dir: dir, name: name, args: args, env: slices.DeleteFunc(os.Environ(), elsewhere)}
	out, stderr, err := c.run(ctx)
	return out, said(err, nameOf(name, args), out, stderr)
}

// A call is one start of a program.
type call struct {
	dir, name string
	args, env []string
	input     []byte
	limit     time.Duration // 0: until ctx ends
}

// run returns what the program wrote. When ctx ends, or the limit is reached, that is the error.
func (c call) run(ctx context.Context) (stdout, stderr []byte, err error) {
	if c.limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, c.limit, &LimitError{nameOf(c.name, c.args), c.dir, c.limit})
		defer cancel()
	}
	cmd := exec.CommandContext(ctx, c.name, c.args...)
	out, errs := child.Head{Most: maxOutput}, child.Head{Most: maxOutput}
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = c.dir, c.env, &out, &errs
	if c.input != nil {
		cmd.Stdin = bytes.NewReader(c.input)
	}
	cmd.WaitDelay = waitDelay
	child.InGroup(cmd)
	err = cmd.Run()
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return out.Bytes(), errs.Bytes(), err
}

// A LimitError says that a tool, asked about a tree, did not answer in time.
type LimitError struct {
	Tool, Dir string
	Limit     time.Duration
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("%s in %s has not answered within %s: the tree may hold a pipe or a device in place of a file, or be "+
		"on a disk that does not answer", e.Tool, filepath.Clean(e.Dir), e.Limit)
}

// said is a tool's failure with the last lines that it wrote. That it was stopped needs no more words.
func said(err error, name string, stdout, stderr []byte) error {
	var exit *exec.ExitError
	if err == nil || !errors.As(err, &exit) && !errors.Is(err, exec.ErrNotFound) {
		return err
	}
	last := lastLines(string(stderr))
	if last == "" {
		last = lastLines(string(stdout))
	}
	return fmt.Errorf("%s: %w%s", name, err, last)
}

// nameOf returns a tool with its subcommand: "go build".
func nameOf(tool string, args []string) string {
	name := filepath.Base(tool)
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name += " " + args[0]
	}
	return name
}

// lastLines returns the last lines that a tool printed, indented.
func lastLines(text string) string {
	const most = 15
	if text = strings.TrimSpace(text); text == "" {
		return ""
	}
	lines := strings.Split(text, "\n")
	return "\n  " + strings.Join(lines[max(len(lines)-most, 0):], "\n  ")
}
