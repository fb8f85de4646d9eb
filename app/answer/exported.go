package answer

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/gocasebook/casebook/app/syntax"
)

// What is read of a module for its names.
const (
	maxModuleFiles = 3000
	maxModuleBytes = 64 << 20
)

// An exported is the names that a module exports: "Transport", "Transport.MaxConnsPerHost", "MaxConnsPerHost".
type exported struct {
	names    map[string]bool
	embedded map[string]bool // types whose members may be another type's
	whole    bool            // all files were read
}

// has reports whether a name is there; typ may be "".
func (e *exported) has(typ, member string) bool {
	if typ == "" || !e.names[typ] || e.embedded[typ] {
		return e.names[member]
	}
	return e.names[typ+"."+member]
}

// exportedOf reads the names of a folder, and of those below it unless it is a package of the standard library.
func exportedOf(dir string, deep bool) *exported {
	e := &exported{names: map[string]bool{}, embedded: map[string]bool{}, whole: true}
	files, read := 0, int64(0)
	root, err := os.OpenRoot(dir)
	if err != nil {
		return e
	}
	defer root.Close()
	_ = fs.WalkDir(root.FS(), ".", func(rel string, d fs.DirEntry, err error) error {
		base := path.Base(rel)
		switch {
		case err != nil:
			return nil
		case d.IsDir() && rel != "." && (!deep || base == "testdata" || base == "vendor" || strings.HasPrefix(base,
			"_")):
			return fs.SkipDir
		case !d.Type().IsRegular() || !strings.HasSuffix(base, ".go") || strings.HasSuffix(base, "_test.go"):
			return nil
		case files >= maxModuleFiles || read > maxModuleBytes:
			e.whole = false
			return fs.SkipAll
		}
		info, err := d.Info()
		if err != nil || info.Size() > maxFile {
			return nil
		}
		data, err := root.ReadFile(filepath.FromSlash(rel))
		if err != nil {
			return nil
		}
		files, read = files+1, read+int64(len(data))
		if tree, _ := parser.ParseFile(token.NewFileSet(), rel, data, parser.SkipObjectResolution); tree != nil {
			e.add(tree)
		}
		return nil
	})
	return e
}

// add adds the names of a file.
func (e *exported) add(tree *ast.File) {
	for _, d := range tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := bare(syntax.NameOf(d))
			if !d.Name.IsExported() {
				continue
			}
			e.names[d.Name.Name], e.names[name] = true, true
		case *ast.GenDecl:
			for _, s := range d.Specs {
				e.spec(s)
			}
		}
	}
}

func (e *exported) spec(s ast.Spec) {
	switch s := s.(type) {
	case *ast.ValueSpec:
		for _, n := range s.Names {
			e.names[n.Name] = e.names[n.Name] || n.IsExported()
		}
	case *ast.TypeSpec:
		if !s.Name.IsExported() {
			return
		}
		e.names[s.Name.Name] = true
		switch t := s.Type.(type) {
		case *ast.StructType:
			e.members(s.Name.Name, t.Fields)
		case *ast.InterfaceType:
			e.members(s.Name.Name, t.Methods)
		default:
			e.embedded[s.Name.Name] = true // an alias, or a type made of another
		}
	}
}

func (e *exported) members(typ string, list *ast.FieldList) {
	for _, f := range list.List {
		if len(f.Names) == 0 {
			e.embedded[typ] = true
		}
		for _, n := range f.Names {
			if n.IsExported() {
				e.names[n.Name], e.names[typ+"."+n.Name] = true, true
			}
		}
	}
}
