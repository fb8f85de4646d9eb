package gate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A revision is one side of a gate: a tree of files to build.
type revision struct {
	label string // "base" or "head"
	name  string // for people: "main (3f2a9c1)"
	dir   string // the folder that answers to Config.Dir
}

// checkOut makes a worktree of a revision in the temporary folder. Without a name it is the files as they lie there.
func (g *gate) checkOut(ctx context.Context, label, name string) (revision, error) {
	prefix, err := g.git(ctx, "rev-parse", "--show-prefix")
	if err != nil {
		return revision{}, fmt.Errorf("gate: %s is in no git repository, so that there is nothing to compare with: %w", g.Dir, err)
	}
	if name == "" {
		return revision{label, "the files in " + g.Dir, g.Dir}, nil
	}
	commit, err := g.git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	if err != nil {
		return revision{}, fmt.Errorf("gate: git does not know the revision %q; a shallow clone in CI has only one: fetch it, for instance with git fetch origin %s", name, name)
	}
	tree := filepath.Join(g.tmp, label)
	g.trees = append(g.trees, tree) // before it is made: a half-made one has to go, too
	if _, err := g.git(ctx, "worktree", "add", "--quiet", "--detach", "--force", tree, commit); err != nil {
		return revision{}, fmt.Errorf("gate: checking out %s: %w", name, err)
	}
	dir := filepath.Join(tree, filepath.FromSlash(prefix))
	if _, err := os.Stat(dir); err != nil {
		return revision{}, fmt.Errorf("gate: %s has no folder %s; run the gate in a folder that both revisions have", name, prefix)
	}
	return revision{label, fmt.Sprintf("%s (%.9s)", name, commit), dir}, nil
}

// git runs git in Dir and returns its trimmed output. Variables that a hook sets would send it elsewhere.
func (g *gate) git(ctx context.Context, args ...string) (string, error) {
	cmd := command(ctx, g.Dir, "git", args...)
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); !strings.HasPrefix(name, "GIT_DIR") && !strings.HasPrefix(name, "GIT_WORK_TREE") && !strings.HasPrefix(name, "GIT_INDEX") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	out, err := output(cmd)
	return strings.TrimSpace(string(out)), err
}

// cleanTime bounds the removal of a worktree.
const cleanTime = 30 * time.Second

// cleanUp removes the worktrees and the temporary folder, also when the context is over.
func (g *gate) cleanUp() error {
	ctx, cancel := context.WithTimeout(context.Background(), cleanTime)
	defer cancel()
	var errs []error
	for _, tree := range g.trees {
		if _, err := os.Stat(tree); err == nil {
			if _, err := g.git(ctx, "worktree", "remove", "--force", "--force", tree); err != nil {
				errs = append(errs, fmt.Errorf("removing the worktree %s: %w; git worktree prune does it by hand", tree, err))
			}
		}
	}
	if err := os.RemoveAll(g.tmp); err != nil {
		errs = append(errs, fmt.Errorf("removing %s: %w", g.tmp, err))
	}
	return errors.Join(errs...)
}
