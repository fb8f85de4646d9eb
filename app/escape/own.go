package escape

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/gocasebook/casebook/app/tool"
)

// ownCode are the packages whose lines are wanted.
type ownCode struct {
	module string
	paths  map[string]bool
	mains  map[string]map[string]bool // the main packages among them, and the names of their files
	others map[string]map[string]bool // main packages of the module beside them
}

// ownPackages lists the packages that patterns stand for, in a folder; those of its module without any. The main
// packages are those of the module in any case: the frames of a program's main package do not have its path.
func ownPackages(ctx context.Context, dir string, flags, patterns []string) (*ownCode, error) {
	const module = "./..."
	if len(patterns) == 0 {
		return listed(ctx, dir, flags, module)
	}
	o, err := listed(ctx, dir, flags, patterns...)
	if err != nil {
		return nil, err
	}
	if len(o.paths) == 0 {
		return nil, fmt.Errorf("no package here is %s", strings.Join(patterns, " "))
	}
	if all, err := listed(ctx, dir, flags, module); err == nil {
		o.module = cmp.Or(o.module, all.module)
		o.others = all.mains
	}
	return o, nil
}

func listed(ctx context.Context, dir string, flags []string, patterns ...string) (*ownCode, error) {
	ctx, cancel := context.WithTimeout(ctx, tool.AskLimit)
	defer cancel()
	pkgs, err := packages.Load(&packages.Config{Context: ctx, Dir: dir, BuildFlags: append(slices.Clip(flags), tool.NoVCS),
		Env:  tool.Go{}.Environment(),
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedModule}, patterns...)
	if err != nil {
		return nil, fmt.Errorf("listing the packages of %s: %w", strings.Join(patterns, " "), tidy(err))
	}
	o := &ownCode{paths: make(map[string]bool), mains: make(map[string]map[string]bool)}
	var failed []packages.Error
	for _, p := range pkgs {
		if p.Name == "" && len(p.GoFiles) == 0 { // what the pattern stands for does not exist
			failed = append(failed, p.Errors...)
			continue
		}
		o.add(p)
	}
	if len(o.paths) == 0 && len(failed) > 0 {
		return nil, fmt.Errorf("listing the packages of %s: %s", strings.Join(patterns, " "), withNext(firstOf(failed)))
	}
	return o, nil
}

func (o *ownCode) add(p *packages.Package) {
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

// tidy is an error of the go command without what it says of itself.
func tidy(err error) error {
	text := strings.TrimSpace(strings.TrimPrefix(err.Error(), "err: exit status 1: stderr: "))
	return errors.New(text)
}

// withNext says what to do about a module that a go.work leaves out. All else the go command says itself.
func withNext(text string) string {
	if strings.Contains(text, "listed in go.work") {
		text += "; add the module there, or set GOWORK=off"
	}
	return text
}

// mainOf is the main package that the frames of package main are of: the one that has their files, of those whose lines
// are wanted, then of the rest of the module.
func (o *ownCode) mainOf(all []site) string {
	names := make(map[string]bool)
	for _, s := range all {
		for _, f := range s.stack {
			if f.pkg == "main" && f.file != "" {
				names[path.Base(strings.ReplaceAll(f.file, `\`, "/"))] = true
			}
		}
	}
	return cmp.Or(having(o.mains, names), having(o.others, names))
}

// having is the one main package that has all files of these names; "" if none or several have.
func having(mains map[string]map[string]bool, names map[string]bool) (found string) {
	for p, files := range mains {
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
