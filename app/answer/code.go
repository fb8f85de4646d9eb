package answer

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/app/source"
	"github.com/gocasebook/casebook/app/syntax"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// What is read of a module's source: kubernetes has 10,000 files of its own.
const (
	maxFiles    = 10_000
	maxFile     = 4 << 20 // bytes; generated code has some MB
	maxAllFiles = 256 << 20
)

// A code is the Go source of the program's module: which functions there are, on which lines.
type code struct {
	dir   string // of the module
	files map[string]*codeFile
}

// A codeFile is one file, by its path in the module.
type codeFile struct {
	rel       string
	lines     int
	functions []declared
}

// A declared is a function of the source.
type declared struct {
	name     string // as profiles have it, without type arguments
	from, to int
	decl     *ast.FuncDecl
}

// codeOf reads the source; nil where none is at hand. What cannot be read is left out.
func codeOf(p *source.Places) *code {
	if p == nil || p.Tree.Dir == "" {
		return nil
	}
	c := &code{dir: p.Tree.Dir, files: make(map[string]*codeFile)}
	root, err := os.OpenRoot(p.Tree.Dir) // no name leads out of it
	if err != nil {
		return c
	}
	defer root.Close()
	bytesRead := int64(0)
	_ = fs.WalkDir(root.FS(), ".", func(rel string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // it is left out
		case d.IsDir() && rel != "." && isElsewhere(root, rel):
			return fs.SkipDir
		case !d.Type().IsRegular() || !strings.HasSuffix(rel, ".go"):
			return nil
		case len(c.files) >= maxFiles || bytesRead > maxAllFiles:
			return fs.SkipAll
		}
		info, err := d.Info()
		if err != nil || info.Size() > maxFile {
			return nil
		}
		if data, err := root.ReadFile(filepath.FromSlash(rel)); err == nil {
			bytesRead += int64(len(data))
			c.files[rel] = parsed(rel, data, p.Tree.Module)
		}
		return nil
	})
	return c
}

// isElsewhere reports whether a folder is none of the module's: another module, what the go command ignores, vendor.
func isElsewhere(root *os.Root, rel string) bool {
	base := path.Base(rel)
	if strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || base == "testdata" || base == "vendor" ||
		base == "node_modules" {
		return true
	}
	_, err := root.Lstat(filepath.Join(filepath.FromSlash(rel), "go.mod"))
	return err == nil
}

// parsed reads the functions of a file; of one that does not parse as far as it does.
func parsed(rel string, data []byte, module string) *codeFile {
	f := &codeFile{rel: rel, lines: bytes.Count(data, []byte{'\n'}) + 1}
	set := token.NewFileSet()
	tree, _ := parser.ParseFile(set, rel, data, parser.SkipObjectResolution)
	if tree == nil {
		return f
	}
	pkg := path.Join(module, path.Dir(rel))
	if tree.Name != nil && tree.Name.Name == "main" {
		pkg = "main"
	}
	for _, d := range tree.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			f.functions = append(f.functions, declared{pkg + "." + syntax.NameOf(fn), set.Position(fn.Pos()).Line,
				set.Position(fn.End()).Line, fn})
		}
	}
	return f
}

// function is the one that somebody names, with its file; nil if none or several of different names are.
func (c *code) function(said string) (*codeFile, *declared) {
	said = literal.ReplaceAllString(stacks.WithoutTypes(said), "")
	var file *codeFile
	var found *declared
	for _, f := range c.files {
		for i := range f.functions {
			d := &f.functions[i]
			if sameFunction(said, d.name) && (found == nil || len(f.rel) < len(file.rel)) {
				file, found = f, d
			}
		}
	}
	return file, found
}

// file is the one that somebody names, the shortest path of several.
func (c *code) file(said string) *codeFile {
	var found *codeFile
	for _, f := range c.files {
		if (sameFile(said, f.rel) || sameFile(f.rel, said)) && (found == nil || len(f.rel) < len(found.rel) ||
			len(f.rel) == len(found.rel) && f.rel < found.rel) {
			found = f
		}
	}
	return found
}

// at is the function that a line is in; nil for none.
func (f *codeFile) at(line int) *declared {
	for i := range f.functions {
		if d := &f.functions[i]; d.from <= line && line <= d.to {
			return d
		}
	}
	return nil
}

// mentions reports whether a function's code calls one of these, or makes the value that one is a method of.
func (d *declared) mentions(functions []string) (which string) {
	if d.decl == nil || d.decl.Body == nil {
		return ""
	}
	words := make(map[string]bool)
	ast.Inspect(d.decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			switch fn := n.Fun.(type) {
			case *ast.SelectorExpr:
				words[fn.Sel.Name] = true
			case *ast.Ident:
				words[fn.Name] = true
			}
		case *ast.CompositeLit:
			if id, ok := n.Type.(*ast.Ident); ok {
				words[id.Name] = true
			}
		}
		return true
	})
	for _, f := range functions {
		name := literal.ReplaceAllString(functionOf(f).name, "")
		typ, method, isMethod := strings.Cut(name, ".")
		if words[name] || isMethod && (words[method] || words[typ]) {
			return f
		}
	}
	return ""
}

func lineText(file string, line int) string { return file + ":" + strconv.Itoa(line) }
