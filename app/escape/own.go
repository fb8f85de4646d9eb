package escape

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

// ownCode are the packages whose lines are wanted.
type ownCode struct {
	module string
	paths  map[string]bool
	mains  map[string]map[string]bool // the main packages among them, and the names of their files
}

// ownPackages lists the packages that patterns stand for, in a folder; those of its module without any.
func ownPackages(ctx context.Context, dir string, flags, patterns []string) (*ownCode, error) {
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	pkgs, err := packages.Load(&packages.Config{Context: ctx, Dir: dir, BuildFlags: flags,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedModule}, patterns...)
	if err != nil {
		return nil, fmt.Errorf("listing the packages of %s: %w", strings.Join(patterns, " "), err)
	}
	o := &ownCode{paths: make(map[string]bool), mains: make(map[string]map[string]bool)}
	for _, p := range pkgs {
		if p.Name == "" && len(p.GoFiles) == 0 {
			continue // what the pattern stands for does not exist
		}
		o.paths[p.PkgPath] = true
		if p.Module != nil && p.Module.Main {
			o.module = p.Module.Path
		}
		if p.Name == "main" {
			files := make(map[string]bool)
			for _, f := range p.GoFiles {
				files[filepath.Base(f)] = true
			}
			o.mains[p.PkgPath] = files
		}
	}
	return o, nil
}

// mainOf is the main package that the frames of package main are of: the one that has their files; "" if none or
// several have.
func (o *ownCode) mainOf(all []site) (found string) {
	names := make(map[string]bool)
	for _, s := range all {
		for _, f := range s.stack {
			if f.pkg == "main" && f.file != "" {
				names[path.Base(strings.ReplaceAll(f.file, `\`, "/"))] = true
			}
		}
	}
	for p, files := range o.mains {
		has := len(names) > 0
		for n := range names {
			has = has && files[n]
		}
		if has && found != "" {
			return ""
		}
		if has {
			found = p
		}
	}
	return found
}
