// Package revision builds a program as it is at a git revision.
//
// The problem: to compare two revisions of a server both must be built, and a checkout of another revision in the working
// tree disturbs whoever works there. The approach: `git worktree` puts each revision into a temporary folder beside it, where
// it is built with the module as it was then; Close removes the folder and git's record of it. The revision "." is the
// working tree as it stands, changes that are not committed included.
//
// The limits: submodules and files that git does not know (generated code, .env) are not in a worktree.
package revision

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Here is the revision that stands for the working tree.
const Here = "."

// A Build is a program of a revision.
type Build struct {
	Revision string // as it was asked for
	Commit   string // its short hash; empty for the working tree
	Binary   string
	Dir      string // the folder in which the program of that revision expects to run

	repository string
	temporary  string // holds the worktree and the binary
	worktree   string // empty for the working tree
}

// New checks revision out and builds the Go package pkg (a path as `go build` takes it, relative to dir), both by the tools of
// those names. Close must be called on what it returns. When ctx ends the tools are stopped and nothing is left.
func New(ctx context.Context, dir, revision, pkg string) (*Build, error) {
	temporary, err := os.MkdirTemp("", "casebook-revision-*")
	if err != nil {
		return nil, fmt.Errorf("building revision %s: %w", revision, err)
	}
	b := &Build{Revision: revision, Dir: dir, temporary: temporary, repository: dir, Binary: filepath.Join(temporary, "server")}
	if runtime.GOOS == "windows" {
		b.Binary += ".exe"
	}
	if revision != Here {
		err = b.checkOut(ctx)
	}
	if err == nil {
		_, err = run(ctx, b.Dir, "go", "build", "-o", b.Binary, pkg)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("building %s of revision %s: %w", pkg, revision, err), b.Close())
	}
	return b, nil
}

// checkOut puts the revision into a worktree, and finds there the folder that dir is in the repository.
func (b *Build) checkOut(ctx context.Context) error {
	if strings.HasPrefix(b.Revision, "-") {
		return errors.New("a revision does not begin with -")
	}
	prefix, err := run(ctx, b.repository, "git", "rev-parse", "--show-prefix")
	if err != nil {
		return err
	}
	if b.Commit, err = run(ctx, b.repository, "git", "rev-parse", "--short", "--verify", b.Revision+"^{commit}"); err != nil {
		return err
	}
	b.worktree = filepath.Join(b.temporary, "tree")
	b.Dir = filepath.Join(b.worktree, filepath.FromSlash(prefix))
	_, err = run(ctx, b.repository, "git", "worktree", "add", "--detach", b.worktree, b.Commit)
	return err
}

// closeTime bounds git's removal of a worktree.
const closeTime = 30 * time.Second

// Close removes what was built and checked out.
func (b *Build) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	var errs []error
	if b.worktree != "" {
		if _, err := os.Stat(b.worktree); err == nil {
			_, err := run(ctx, b.repository, "git", "worktree", "remove", "--force", b.worktree)
			errs = append(errs, err)
		}
	}
	errs = append(errs, os.RemoveAll(b.temporary))
	if b.worktree != "" { // also when it was interrupted half-way
		_, err := run(ctx, b.repository, "git", "worktree", "prune")
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("removing the build of revision %s: %w", b.Revision, err)
	}
	return nil
}

// Label is the revision for people.
func (b *Build) Label() string {
	switch {
	case b.Revision == Here:
		return "working tree"
	case strings.HasPrefix(b.Commit, b.Revision) || strings.HasPrefix(b.Revision, b.Commit):
		return b.Commit
	}
	return b.Revision + " (" + b.Commit + ")"
}

// run is the output of a tool, trimmed. Its errors have what the tool said. It runs in a process group of its own, so that
// Ctrl-C does not end git in the midst of a removal.
func run(ctx context.Context, dir, tool string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, tool, args...)
	var out, said bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &said
	cmd.WaitDelay = time.Second
	detach(cmd)
	err := cmd.Run()
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", tool, args[0], err, lastLines(said.String()))
	}
	return strings.TrimSpace(out.String()), nil
}

// lastLines are the last ten lines, indented.
func lastLines(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return "  " + strings.Join(lines[max(len(lines)-10, 0):], "\n  ")
}
