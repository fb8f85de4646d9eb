package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/gocasebook/casebook/app/syntax"
	"github.com/gocasebook/casebook/diagnose/known"
)

// sources are the modules that were looked into.
type sources struct {
	modules map[known.Release]*source
}

// A source is what a module's source declares.
type source struct {
	dir   string
	err   error
	funcs map[string]bool // by full name: "path/pkg.(*T).Method"
	words map[string]bool // identifiers that are declared: fields, types, options, constants
}

// problems are what of a row is not in its modules.
func (all *sources) problems(a *known.Advice, newest bool) (out []string) {
	releases := a.Modules
	if newest && a.Holds == "" && a.About != known.AboutFault {
		for _, m := range a.Modules {
			if m.Path != known.Std {
				releases = append(releases[:len(releases):len(releases)], known.Release{Path: m.Path, Version: "latest"})
			}
		}
	}
	for i, m := range releases {
		s := all.of(m)
		if s.err != nil {
			out = append(out, s.err.Error())
			continue
		}
		for _, fn := range append(append(append([]string(nil), a.At...), a.Below...), a.Stays...) {
			if m.Named(fn) != fn && !s.declares(m.Named(fn)) || m.Path == known.Std && !s.declares(fn) {
				out = append(out, fmt.Sprintf("%s %s has no function %s", m.Path, m.Version, m.Named(fn)))
			}
		}
		if i > 0 {
			continue
		}
		for _, name := range named(a) {
			if !s.words[name] {
				out = append(out, fmt.Sprintf("%s %s declares no %s", m.Path, m.Version, name))
			}
		}
		if p := s.lacks(a.Source); p != "" {
			out = append(out, p)
		}
	}
	return out
}

// lacks says which file is not there; "" if all are, and of pages.
func (s *source) lacks(file string) string {
	for f := range strings.FieldsSeq(file) {
		if strings.Contains(f, "://") {
			continue
		}
		f, _, _ = strings.Cut(strings.TrimRight(f, ",;"), ":")
		if _, err := os.Stat(filepath.Join(s.dir, filepath.FromSlash(f))); err != nil {
			return fmt.Sprintf("there is no file %s in %s", f, s.dir)
		}
	}
	return ""
}

var identifier = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// named are the identifiers of a setting, those of the literals that leave it out, and of what ends something, which have to be declared.
func named(a *known.Advice) []string {
	subject, _, _ := strings.Cut(a.Subject, " ")
	switch a.About {
	case known.AboutDefault:
		for _, rule := range a.Unset {
			_, fields, _ := strings.Cut(rule, ".") // behind the package
			subject += " " + fields
		}
		return identifier.FindAllString(subject, -1)
	case known.AboutEnd:
		if subject != "nothing" && subject != "cancel" {
			return identifier.FindAllString(subject, -1)
		}
	}
	return nil
}

// of is a module's source.
func (all *sources) of(m known.Release) *source {
	if all.modules == nil {
		all.modules = make(map[known.Release]*source)
	}
	s := all.modules[m]
	if s == nil {
		s = &source{funcs: make(map[string]bool), words: make(map[string]bool)}
		if s.dir, s.err = directory(m); s.err == nil {
			s.err = s.read(m.Path)
		}
		all.modules[m] = s
	}
	return s
}

// directory is where a release's source is; it is downloaded.
func directory(m known.Release) (string, error) {
	if m.Path == known.Std {
		return filepath.Join(build.Default.GOROOT, "src"), nil
	}
	cmd := exec.Command("go", "mod", "download", "-json", m.Path+"@"+m.Version)
	cmd.Dir = os.TempDir() // no module's
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	data, err := cmd.Output()
	var answer struct{ Dir, Error string }
	if json.Unmarshal(data, &answer) == nil && answer.Error != "" {
		return "", errors.New(answer.Error)
	}
	if err != nil || answer.Dir == "" {
		return "", fmt.Errorf("go mod download %s@%s: %v", m.Path, m.Version, err)
	}
	return answer.Dir, nil
}

// read parses all files but tests.
func (s *source) read(module string) error {
	files := token.NewFileSet()
	return filepath.WalkDir(s.dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() {
			if base := e.Name(); name != s.dir && (base == "testdata" || strings.HasPrefix(base, "_") ||
				strings.HasPrefix(base, ".")) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
		if f == nil {
			return err
		}
		dir, err := filepath.Rel(s.dir, filepath.Dir(name))
		if err != nil {
			return err
		}
		pkg := path.Join(module, filepath.ToSlash(dir))
		if module == known.Std {
			pkg = filepath.ToSlash(dir)
		}
		if f.Name.Name == "main" && module == known.Std {
			pkg = "main"
		}
		s.declare(pkg, f)
		return nil
	})
}

// declare adds what a file declares.
func (s *source) declare(pkg string, f *ast.File) {
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		s.words[fn.Name.Name] = true
		s.funcs[pkg+"."+syntax.NameOf(fn)] = true
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			s.words[n.Name.Name] = true
		case *ast.ValueSpec:
			for _, id := range n.Names {
				s.words[id.Name] = true
			}
		case *ast.Field:
			for _, id := range n.Names {
				s.words[id.Name] = true
			}
		}
		return true
	})
}

var closure = regexp.MustCompile(`(\.(func|gowrap|deferwrap)[0-9]+|\.[0-9]+|-(range|fm)[0-9]*)+$`)

// declares reports whether a row's function, or one that begins as it does, is declared; closures are of their function.
func (s *source) declares(name string) bool {
	name = closure.ReplaceAllString(name, "")
	if prefix, any := strings.CutSuffix(name, "*"); any || strings.HasSuffix(name, ".") || strings.HasSuffix(name, "/") {
		for fn := range s.funcs {
			if strings.HasPrefix(fn, prefix) {
				return true
			}
		}
		return false
	}
	return s.funcs[name]
}
