package rewrite

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Apply makes edits of files whose contents read returns, adds imports, takes out those that the edits left without a
// use, and formats what was formatted before. Edits that are the same are made once; those that overlap are an error.
func Apply(read func(file string) ([]byte, error), edits []Edit, imports []Import) (map[string][]byte, error) {
	byFile := make(map[string][]Edit)
	for _, e := range edits {
		if !slices.Contains(byFile[e.File], e) {
			byFile[e.File] = append(byFile[e.File], e)
		}
	}
	out := make(map[string][]byte)
	for file, es := range byFile {
		old, err := read(file)
		if err != nil {
			return nil, fmt.Errorf("changing %s: %w", file, err)
		}
		made, err := applyFile(old, es)
		if err == nil && path.Ext(file) == ".go" {
			made, err = settleImports(file, old, made, imports)
		}
		if err != nil {
			return nil, fmt.Errorf("changing %s: %w", file, err)
		}
		out[file] = made
	}
	return out, nil
}

// An OverlapError says that two edits are of the same bytes.
type OverlapError struct{ From int }

// Error names the byte.
func (e *OverlapError) Error() string {
	return fmt.Sprintf("two changes are of the same code, at byte %d", e.From)
}

func applyFile(old []byte, edits []Edit) ([]byte, error) {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	var out []byte
	at := 0
	for _, e := range edits {
		if e.From < at {
			return nil, &OverlapError{e.From}
		}
		if e.To > len(old) || e.To < e.From {
			return nil, fmt.Errorf("the file is shorter than it was")
		}
		out = append(append(out, old[at:e.From]...), e.New...)
		at = e.To
	}
	return append(out, old[at:]...), nil
}

// settleImports adds the imports of a file, and takes out those that were used before and are not any more.
func settleImports(file string, old, made []byte, imports []Import) ([]byte, error) {
	before, err := parser.ParseFile(token.NewFileSet(), file, old, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	after, err := parser.ParseFile(set, file, made, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return nil, fmt.Errorf("the change does not parse: %w", err)
	}
	var edits []Edit
	f := set.File(after.Package)
	wasUsed, isUsed := qualifiers(before), qualifiers(after)
	for _, spec := range after.Imports {
		if name := importName(spec); wasUsed[name] && !isUsed[name] {
			edits = append(edits, cutImport(f, after, spec, made))
		}
	}
	var add []string
	for _, imp := range imports {
		has := slices.ContainsFunc(after.Imports, func(s *ast.ImportSpec) bool {
			return s.Path.Value == strconv.Quote(imp.Path) && (s.Name == nil || s.Name.Name != "_" && s.Name.Name != ".")
		})
		if imp.File == file && !has && isUsed[lastName(imp.Path)] && !slices.Contains(add, imp.Path) {
			add = append(add, imp.Path)
		}
	}
	if len(add) > 0 {
		edits = append(edits, putImports(f, after, add)...)
	}
	if made, err = applyFile(made, edits); err != nil {
		return nil, err
	}
	formatted, err := format.Source(made)
	if err != nil {
		return nil, fmt.Errorf("the change does not parse: %w", err)
	}
	if was, err := format.Source(old); err != nil || string(was) != string(old) {
		return made, nil // it was not formatted before: only the change is to be seen
	}
	return formatted, nil
}

// qualifiers are the names before dots in a file.
func qualifiers(f *ast.File) map[string]bool {
	out := make(map[string]bool)
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok {
				out[id.Name] = true
			}
		}
		return true
	})
	return out
}

// importName is how a file calls an import, as far as its path tells: where the package has another name than the
// path's end, the import is not touched.
func importName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return ""
	}
	return lastName(p)
}

// lastName is how most packages with a path are called: its end, without the major version.
func lastName(p string) string {
	base := path.Base(p)
	if digits, ok := strings.CutPrefix(base, "v"); ok && strings.Contains(p, "/") {
		if _, err := strconv.Atoi(digits); err == nil {
			return path.Base(path.Dir(p))
		}
	}
	return base
}

// cutImport takes an import out with its line, or with the whole declaration if it is the only one.
func cutImport(f *token.File, file *ast.File, spec *ast.ImportSpec, src []byte) Edit {
	var n ast.Node = spec
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT && len(g.Specs) == 1 && g.Specs[0] == spec {
			n = g
		}
	}
	from, to := f.Offset(n.Pos()), f.Offset(n.End())
	for from > 0 && src[from-1] != '\n' {
		from--
	}
	for to < len(src) && src[to] != '\n' {
		to++
	}
	return Edit{From: from, To: min(to+1, len(src))}
}

// putImports adds imports to the first import declaration: at its head those of the standard library, and behind the
// others, or in a group of their own, those whose path begins with a host.
func putImports(f *token.File, file *ast.File, paths []string) (out []Edit) {
	text := func(before string, paths []string) (out string) {
		for _, p := range paths {
			out += before + strconv.Quote(p) + "\n"
		}
		return out
	}
	insert := func(at int, text string) { out = append(out, Edit{From: at, To: at, New: text}) }
	var own, others []string
	for _, p := range paths {
		if hosted(p) {
			others = append(others, p)
		} else {
			own = append(own, p)
		}
	}
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			continue
		}
		if !g.Lparen.IsValid() {
			insert(f.Offset(g.Pos()), text("import ", paths))
			return out
		}
		if len(own) > 0 {
			insert(f.Offset(g.Lparen)+1, "\n"+strings.TrimSuffix(text("\t", own), "\n"))
		}
		if len(others) == 0 {
			return out
		}
		last, group := f.Offset(g.Rparen), "\n"
		for _, s := range g.Specs {
			spec := s.(*ast.ImportSpec)
			if p, err := strconv.Unquote(spec.Path.Value); err == nil && hosted(p) {
				last, group = f.Offset(spec.End()), ""
			}
		}
		if group == "" {
			insert(last, "\n"+strings.TrimSuffix(text("\t", others), "\n"))
		} else {
			insert(last, group+text("\t", others))
		}
		return out
	}
	insert(f.Offset(file.Name.End()), "\n\n"+text("import ", paths))
	return out
}

// hosted reports whether a path begins with the name of a host, as those of the standard library do not.
func hosted(p string) bool {
	first, _, _ := strings.Cut(p, "/")
	return strings.Contains(first, ".")
}

// API is what other packages see of one: its exported names with their types, a line each. A main package has none.
func (u *Unit) API() string {
	if u.Pkg.Name() == "main" {
		return ""
	}
	var lines []string
	for _, name := range u.Pkg.Scope().Names() {
		obj := u.Pkg.Scope().Lookup(name)
		if !obj.Exported() {
			continue
		}
		if _, isType := obj.(*types.TypeName); !isType {
			lines = append(lines, types.ObjectString(obj, fullPath))
			continue
		}
		lines = append(lines, "type "+name+" "+exported(obj.Type()))
		for m := range types.NewMethodSet(types.NewPointer(obj.Type())).Methods() {
			if m.Obj().Exported() {
				lines = append(lines, "method "+name+": "+types.ObjectString(m.Obj(), fullPath))
			}
		}
	}
	return strings.Join(lines, "\n")
}

func fullPath(p *types.Package) string { return p.Path() }

// exported is a type as other packages see it: a struct without the fields that only its own package has, and whether
// it can be compared.
func exported(t types.Type) string {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return types.TypeString(t.Underlying(), fullPath)
	}
	text := fmt.Sprintf("struct, comparable %t", types.Comparable(t))
	for i := range s.NumFields() {
		if f := s.Field(i); f.Exported() || f.Embedded() {
			text += "; " + types.ObjectString(f, fullPath) + " " + s.Tag(i)
		}
	}
	return text
}
