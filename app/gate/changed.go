package gate

import (
	"bytes"
	"context"
	"errors"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/gocasebook/casebook/app/revision"
	"github.com/gocasebook/casebook/app/syntax"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// changes are the functions that differ between the revisions, of either: by name as profiles have it, without the
// package ("Encode", "(*Coder).Encode"), the files that hold them, from the folder of the gate.
//
// A profile says which function takes the time, and that is often one that nobody touched, whose caller is new or calls
// it more. What is to be looked at is the function that was changed.
type changes map[string][]string

// changed asks git which files differ, and compares their functions. Without an answer every function is taken as it
// stands in the profile.
func (g *gate) changed(ctx context.Context) changes {
	if g.changes != nil {
		return g.changes
	}
	g.changes = make(changes)
	files, err := revision.Changed(ctx, g.base, g.head)
	if err != nil {
		g.say("cannot find out which functions changed: %v", err)
		return g.changes
	}
	dirs := make(map[string][]string) // of a package's changed files
	for _, f := range files {
		if strings.HasSuffix(f, ".go") {
			dirs[path.Dir(f)] = append(dirs[path.Dir(f)], f)
		}
	}
	for _, files := range dirs {
		base, head := functions(g.base.Dir, files), functions(g.head.Dir, files)
		for name, f := range head {
			if base[name].text != f.text {
				g.changes[name] = append(g.changes[name], f.file)
			}
		}
		for name, f := range base {
			if head[name].text != f.text {
				g.changes[name] = append(g.changes[name], f.file)
			}
		}
	}
	return g.changes
}

// A function is one as it is written, without its comments.
type function struct{ file, text string }

// functions returns the functions in the files below a folder. Files that do not exist or are not Go have none.
func functions(dir string, files []string) map[string]function {
	out := make(map[string]function)
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution) // without comments
		if err != nil {
			continue // it was built, so that it is of another system, or a test's data
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				var b bytes.Buffer
				if format.Node(&b, set, f) == nil {
					out[syntax.NameOf(f)] = function{name, b.String()}
				}
			}
		}
	}
	return out
}

// closures are what the compiler appends to the name of the function that a closure is in: ".func1", ".func2.1",
// ".gowrap1" and ".deferwrap1", and for range-over-func bodies "-range1".
var closures = regexp.MustCompile(`(\.(func|gowrap|deferwrap)?\d+|-range\d+)+$`)

// plainName is a function's name without the closure in it and without type arguments.
func plainName(name string) string {
	return closures.ReplaceAllString(strings.ReplaceAll(name, "[...]", ""), "")
}

// has reports whether the function of a frame is among them; a closure is part of the function around it.
func (c changes) has(f *stacks.Func) bool {
	name := f.Name[strings.LastIndexByte(f.Name, '/')+1:]
	_, name, ok := strings.Cut(name, ".")
	if !ok {
		return false
	}
	name = plainName(name)
	for _, file := range c[name] {
		if f.File == file || strings.HasSuffix(f.File, "/"+file) || sameEnd(f.File, file) {
			return true
		}
	}
	return false
}

// sameEnd reports whether two paths end in the same folder and file: a module's path need not be that of its folder.
func sameEnd(a, b string) bool {
	return path.Dir(b) != "." && path.Base(a) == path.Base(b) && path.Base(path.Dir(a)) == path.Base(path.Dir(b))
}
