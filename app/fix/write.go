package fix

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/fix/rewrite"
	"github.com/gocasebook/casebook/app/tool"
)

// Clean says why the tree that a folder is in must not be changed: it is in no repository, so that nothing could be
// taken back, or it has changes that nobody committed, which a change of ours would be mixed with.
func Clean(ctx context.Context, dir string) error {
	if _, err := (tool.Git{Dir: dir}).Run(ctx, "rev-parse", "--verify", "--quiet", "HEAD"); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return fmt.Errorf("%s is in no git repository with a commit, or git is not in $PATH: a change could not be taken "+
			"back, and not be proved; without --write, --prove and --branch fix only prints it", dir)
	}
	out, err := tool.Git{Dir: dir}.Run(ctx, "status", "--porcelain", "--untracked-files=no")
	if err != nil {
		return fmt.Errorf("looking for changes that are not committed: %w", err)
	}
	if text := strings.TrimSpace(string(out)); text != "" {
		lines := strings.Split(text, "\n")
		return fmt.Errorf("files are changed and not committed, %s: commit or stash them first, so that the fix is a change "+
			"by itself", strings.TrimSpace(lines[0]))
	}
	return nil
}

// Write makes changes in the tree. Those that are of the same code as one before them are left out, and say so.
func Write(ctx context.Context, cfg Config, ps []Proposal) (written []string, err error) {
	if err := Clean(ctx, cfg.Dir); err != nil {
		return nil, err
	}
	files, err := together(ps)
	if err != nil {
		return nil, err
	}
	for _, c := range ps {
		if c.By == bySetting && c.Refused == "" {
			maps.Copy(files, c.files) // of another kind of file than all others
		}
	}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if err := replaceFile(file, files[file]); err != nil {
			return written, err
		}
		written = append(written, file)
	}
	return written, nil
}

// replaceFile writes a file whole, or leaves it as it was.
func replaceFile(file string, data []byte) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(file), ".casebook-fix-*")
	if err != nil {
		return fmt.Errorf("writing %s: %w", file, err)
	}
	defer os.Remove(tmp.Name()) // it has its own name by then
	_, err = tmp.Write(data)
	err = errors.Join(err, tmp.Chmod(info.Mode().Perm()), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), file)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", file, err)
	}
	return nil
}

// together are the files with all changes that are made. A change that overlaps one before it is refused.
func together(ps []Proposal) (map[string][]byte, error) {
	var edits []rewrite.Edit
	var imports []rewrite.Import
	files := make(map[string][]byte)
	for i := range ps {
		if ps[i].Refused != "" || len(ps[i].edits) == 0 || ps[i].By == bySetting {
			continue
		}
		with, imps := append(slices.Clone(edits), ps[i].edits...), append(slices.Clone(imports), ps[i].imports...)
		made, err := rewrite.Apply(os.ReadFile, with, imps)
		var overlap *rewrite.OverlapError
		if errors.As(err, &overlap) {
			ps[i].Refused = "it is of the same code as a change before it; run fix again when that is made"
			continue
		}
		if err != nil {
			return nil, err
		}
		edits, imports, files = with, imps, made
	}
	return files, nil
}
