package answer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/gocasebook/casebook/app/tool"
)

// What is copied of a module, to compile and test a diff in the copy.
const (
	maxCopied      = 20_000
	maxCopiedBytes = 512 << 20
)

// A copied is a private copy of a module's folder, with a diff applied or without. Close removes it.
type copied struct {
	dir  string // of the module in it
	base string
}

// copyOf copies the regular files of a module. Links, hidden folders and other modules in it stay where they are; paths
// to other folders in its go.mod become absolute, so that they lead where they did.
func copyOf(ctx context.Context, dir string) (c *copied, err error) {
	base, err := os.MkdirTemp("", "casebook-answer-*")
	if err != nil {
		return nil, fmt.Errorf("making a private copy of %s: %w", dir, err)
	}
	c = &copied{dir: filepath.Join(base, "module"), base: base}
	defer func() {
		if err != nil {
			err = fmt.Errorf("making a private copy of %s: %w", dir, errors.Join(err, c.Close()))
		}
	}()
	root, err := os.OpenRoot(dir)
	if err != nil {
		return c, err
	}
	defer root.Close()
	files, bytes := 0, int64(0)
	err = fs.WalkDir(root.FS(), ".", func(rel string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case d.IsDir() && rel != "." && (strings.HasPrefix(path.Base(rel), ".") || path.Base(rel) == "node_modules"):
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(c.path(rel), 0o755)
		case !d.Type().IsRegular():
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if files, bytes = files+1, bytes+info.Size(); files > maxCopied || bytes > maxCopiedBytes {
			return fmt.Errorf("it has more than %d files or %d MiB", maxCopied, maxCopiedBytes>>20)
		}
		data, err := root.ReadFile(filepath.FromSlash(rel))
		if err != nil {
			return err
		}
		return os.WriteFile(c.path(rel), data, 0o644)
	})
	if err == nil {
		err = c.anchor(dir)
	}
	return c, err
}

func (c *copied) path(rel string) string { return filepath.Join(c.dir, filepath.FromSlash(rel)) }

// Close removes the copy.
func (c *copied) Close() error { return os.RemoveAll(c.base) }

// anchor makes the paths of other folders in go.mod absolute.
func (c *copied) anchor(dir string) error {
	name := filepath.Join(c.dir, "go.mod")
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	file, err := modfile.Parse("go.mod", data, nil)
	if err != nil {
		return err
	}
	changed := false
	for _, r := range file.Replace {
		if r.New.Version != "" || filepath.IsAbs(r.New.Path) || filepath.IsLocal(filepath.FromSlash(r.New.Path)) {
			continue
		}
		changed = true
		if err := file.AddReplace(r.Old.Path, r.Old.Version, filepath.Join(dir, filepath.FromSlash(r.New.Path)),
			""); err != nil {
			return err
		}
	}
	if !changed {
		return nil
	}
	if data, err = file.Format(); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}

// write applies diffs to the copy, through a root that no name leads out of.
func (c *copied) write(ps []*filePatch) error {
	root, err := os.OpenRoot(c.dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, p := range ps {
		name := filepath.FromSlash(p.name)
		old, err := root.ReadFile(name)
		switch {
		case p.created && err == nil:
			return &misfit{fmt.Sprintf("%s is there already, and it would be made anew", p.name)}
		case !p.created && err != nil:
			return &misfit{fmt.Sprintf("the module has no file %s", p.name)}
		case p.removed:
			if err := root.Remove(name); err != nil {
				return err
			}
			continue
		}
		now, err := p.apply(string(old))
		if err != nil {
			return &misfit{err.Error()}
		}
		if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := root.WriteFile(name, []byte(now), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// A misfit says that a diff is not one of the code at hand.
type misfit struct{ text string }

func (m *misfit) Error() string { return m.text }

// packagesOf are the folders of Go files that a diff changes, as the go command names them.
func packagesOf(ps []*filePatch) (all []string) {
	for _, p := range ps {
		if strings.HasSuffix(p.name, ".go") && !p.removed {
			all = append(all, "./"+path.Dir(p.name))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// goCommand is the go command in the copy: without flags of the environment, and without what it may fetch unless that
// is allowed.
func (c *copied) goCommand(online bool) tool.Go {
	return tool.Go{Dir: c.dir, Offline: !online, Set: []string{"GOFLAGS=", "GOWORK=off"}}
}

// complete looks whether all modules are there that packages need.
func (c *copied) complete(ctx context.Context, online bool, packages []string) error {
	out, err := c.goCommand(online).Output(ctx, "list", append([]string{"-e", "-deps", "-f",
		`{{with .Error}}{{if .ImportStack}}{{.Err}}{{end}}{{end}}`}, packages...)...)
	if err == nil && strings.Contains(string(out), "module lookup disabled by GOPROXY=off") {
		err = errors.New("a module is not on this machine")
	}
	return err
}

// compiles compiles packages, and what their tests are made of. An error has the compiler's words.
func (c *copied) compiles(ctx context.Context, online bool, packages []string) error {
	args := append([]string{"-o", os.DevNull}, packages...)
	if len(packages) > 1 {
		args = packages // several are not written
	}
	_, err := c.goCommand(online).Output(ctx, "build", args...)
	return err
}

// tested runs the tests of packages.
func (c *copied) tested(ctx context.Context, online bool, packages []string) (out string, err error) {
	text, err := c.goCommand(online).Test(ctx, c.base, packages...)
	return string(text), err
}
