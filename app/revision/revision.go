// Package revision checks out git revisions next to the working tree, and builds programs from them.
//
// The problem: to compare two revisions of a program, both must be built, but checking out another revision in the
// working tree disturbs the people who work there. The approach: `git worktree` puts each revision into a temporary
// folder, where it is built with the module as it was then. Close removes the folder and git's record of it. The
// revision "." is the working tree as it is, including uncommitted changes. Tools run in their own process groups
// (package tool): Ctrl-C ends them through the context, never in the middle of a removal, and their children end with
// them.
//
// The limits: a worktree has no submodules and no files that git does not know (generated code, .env).
package revision

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/tool"
)

// Here is the revision that means the working tree.
const Here = "."

// A Tree is the files of a revision.
type Tree struct {
	Revision string // as it was asked for
	Commit   string // its hash, abbreviated; empty for the working tree
	Dir      string // the folder that answers to the one in which the revision was asked for

	repository string // that folder
	temporary  string // holds the worktree and what is built
	worktree   string // empty for the working tree
}

// CheckOut makes a worktree of a revision of the repository that dir is in; Here is dir itself. Close must be called on
// what it returns. When ctx ends, or the revision does not exist, nothing is left.
func CheckOut(ctx context.Context, dir, revision string) (*Tree, error) {
	temporary, err := os.MkdirTemp("", "casebook-revision-*")
	if err != nil {
		return nil, fmt.Errorf("checking out revision %s: %w", revision, err)
	}
	if real, err := filepath.EvalSymlinks(temporary); err == nil {
		temporary = real // as git records it
	}
	t := &Tree{Revision: revision, Dir: dir, repository: dir, temporary: temporary}
	if revision == Here {
		return t, nil
	}
	if err := t.checkOut(ctx); err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

func (t *Tree) checkOut(ctx context.Context) error {
	prefix, err := t.git(ctx, "rev-parse", "--show-prefix")
	if err != nil {
		return fmt.Errorf("%s is not in a git repository, so there are no revisions to compare: %w", t.repository, err)
	}
	if t.Commit, err = t.git(ctx, "rev-parse", "--verify", "--quiet", "--short", "--end-of-options",
		t.Revision+"^{commit}"); err != nil {
		return fmt.Errorf("git does not know the revision %q; a shallow clone in CI has only one revision: fetch it, "+
			"for instance with git fetch origin %s", t.Revision, t.Revision)
	}
	t.worktree = filepath.Join(t.temporary, "tree") // before it is made: a half-made one has to go, too
	// Who checks a revision out builds it, and runs it: its files may be such that a filter of git makes (git-lfs).
	if _, err := (tool.Git{Dir: t.repository, RunsCode: true}).Run(ctx, "worktree", "add", "--quiet", "--detach", "--force",
		t.worktree, t.Commit); err != nil {
		return fmt.Errorf("checking out revision %s: %w", t.Revision, err)
	}
	t.Dir = filepath.Join(t.worktree, filepath.FromSlash(prefix))
	if _, err := os.Stat(t.Dir); err != nil {
		return fmt.Errorf("revision %s has no folder %s; start in a folder that both revisions have",
			t.Revision, strings.TrimSuffix(prefix, "/"))
	}
	return nil
}

// git asks git in the folder that was asked for and returns its trimmed output.
func (t *Tree) git(ctx context.Context, subcommand string, args ...string) (string, error) {
	out, err := tool.Git{Dir: t.repository}.Run(ctx, subcommand, args...)
	return strings.TrimSpace(string(out)), err
}

// closeTime bounds git's removal of a worktree.
const closeTime = 30 * time.Second

// Close removes what was checked out and built, also after the context has ended. Closing twice does no harm.
func (t *Tree) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	var errs []error
	if t.worktree != "" {
		// It fails when git was killed while it made the worktree: forget does then what git would have done.
		_, _ = t.git(ctx, "worktree", "remove", "--force", "--force", t.worktree)
		errs = append(errs, t.forget(ctx))
	}
	errs = append(errs, os.RemoveAll(t.temporary))
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("removing the checkout of revision %s: %w", t.Revision, err)
	}
	t.worktree = ""
	return nil
}

// forget removes git's record of the worktree if there still is one. `git worktree prune` would remove those of other
// people's worktrees too, when the disk that they are on is not mounted.
func (t *Tree) forget(ctx context.Context) error {
	common, err := t.git(ctx, "rev-parse", "--path-format=absolute", "--git-common-dir")
	if err != nil {
		return err
	}
	records, err := filepath.Glob(filepath.Join(common, "worktrees", "*", "gitdir"))
	if err != nil {
		return err
	}
	for _, record := range records {
		text, err := os.ReadFile(record)
		if err == nil && filepath.FromSlash(strings.TrimSpace(string(text))) == filepath.Join(t.worktree, ".git") {
			return os.RemoveAll(filepath.Dir(record))
		}
	}
	return nil
}

// Label returns the revision for people: "main (3f2a9c1)".
func (t *Tree) Label() string {
	switch {
	case t.Revision == Here:
		return "working tree"
	case strings.HasPrefix(t.Commit, t.Revision) || strings.HasPrefix(t.Revision, t.Commit):
		return t.Commit
	}
	return t.Revision + " (" + t.Commit + ")"
}
