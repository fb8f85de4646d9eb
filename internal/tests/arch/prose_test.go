package arch

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/internal/checkout"
)

// prose are the fields that hold text for people: one writer makes it of the parts of a finding, last. What is empty
// may be asked; what is in it may not.
var prose = map[string][]string{
	"Finding": {"Title", "Summary", "Explanation", "Order"}, "Absorbed": {"Title"}, "Frame": {"Role"},
	"Settled": {"Text"}, "Held": {"Text"}, "Impact": {"Text"}, "Gain": {"Arithmetic"},
	"Remedy": {"Title", "Text", "Price"}, "Basis": {"Text"}, "Undecided": {"Reason", "Brief", "CaptureNext"},
	"Trigger": {"Text"}, "Evidence": {"Note"}, "Missing": {"Reason"}, "Link": {"Text", "Why"},
	"CaseVerdict": {"Text", "Settle"}, "PictureLine": {"Text"}, "MemoryRow": {"Name", "Text"},
	"Proof": {"Summary", "Promise", "Method", "Load"}, "Figure": {"Note"}, "Similarity": {"Text"},
	"Detector": {"Title", "Text"}, "Need": {"Reason", "Why", "Capture"}, "Artefact": {"What", "Text", "Note"},
	"Problem": {"Reason", "Next"}, "Failure": {"Reason"},
}

// proseWriters are the files that make text of text: they shorten, wrap, mark up and join what is written, and decide
// how it looks, never what is so. The list only gets shorter.
var proseWriters = map[string]string{
	"app/cli/case_evidence.go": "joins notes, and lists what is missing by its reason",
	"app/cli/explain.go":       "paragraphs", "app/prove/format.go": "names figures beside their phrases",
	"app/prove/format_pairs.go": "lists figures by their note", "app/render/markdown.go": "paragraphs",
	"app/render/markdown_escape.go": "marks", "app/render/remedies.go": "{line}",
	"app/render/sarif.go": "full stops", "app/report/page.go": "an explanation once",
	"app/report/picture.go": "the head of a line", "app/server/detectors_page.go": "paragraphs",
	"app/store/row.go": "cuts", "app/terminal/picture.go": "breaks lines",
	"app/terminal/short.go": "sentences that fit", "diagnose/remedy.go": "{line}", "diagnose/verdict.go": "HOST",
	"diagnose/verdict_text.go": "a title as a clause",
	"internal/words/words.go":  "spaces, no figure twice, and reasons by what to capture",
	"reporter/message.go":      "spaces, and the sentence that has room",
}

// TestNothingReadsProse: no code decides by what stands in a text for people, neither with a function of package
// strings or regexp nor by comparing it. A variable that such a text was assigned to is one, too.
func TestNothingReadsProse(t *testing.T) {
	checkout.Need(t)
	reads := map[string][]string{}
	load := &ownImporter{set: token.NewFileSet(), loaded: map[string]*types.Package{}}
	for _, dir := range proseFolders(t) {
		maps.Copy(reads, load.reads(t, dir))
	}
	for at, lines := range reads {
		file, _, _ := strings.Cut(at, ":")
		if _, writes := proseWriters[file]; !writes {
			t.Errorf("%s reads text for people, in\n\t%s", at, strings.Join(lines, "\n\t"))
		}
	}
	for file := range proseWriters {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(reads)), func(at string) bool {
			return strings.HasPrefix(at, file+":")
		}) {
			t.Errorf("%s reads no text for people: it leaves the list", file)
		}
	}
}

// proseFolders are those of the product's packages.
func proseFolders(t *testing.T) (dirs []string) {
	t.Helper()
	err := filepath.WalkDir("../../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "lab" || d.Name() == "evidence" || d.Name() == "arch"):
			return fs.SkipDir
		case d.IsDir():
			if files, _ := filepath.Glob(path + "/*.go"); len(files) > 0 {
				dirs = append(dirs, path)
			}
		}
		return nil
	})
	if err != nil || len(dirs) < 100 {
		t.Fatalf("%d folders, %v", len(dirs), err)
	}
	return dirs
}

// An ownImporter reads the declarations of this project's packages. Others are empty: what they have has no type, and
// none of their fields holds text of ours.
type ownImporter struct {
	set    *token.FileSet
	loaded map[string]*types.Package
}

func (o *ownImporter) Import(path string) (*types.Package, error) {
	if p := o.loaded[path]; p != nil {
		return p, nil
	}
	dir, ours := strings.CutPrefix(path+"/", root+"/")
	p := types.NewPackage(path, path[strings.LastIndexByte(path, '/')+1:])
	p.MarkComplete()
	o.loaded[path] = p
	if ours {
		p, _, _ = o.check(path, filepath.Join("../../..", dir), true)
		o.loaded[path] = p
	}
	return p, nil
}

func (o *ownImporter) check(path, dir string, declarations bool) (*types.Package, []*ast.File, *types.Info) {
	names, _ := filepath.Glob(dir + "/*.go")
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		if f, err := parser.ParseFile(o.set, name, nil, parser.SkipObjectResolution); err == nil {
			files = append(files, f)
		}
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	conf := types.Config{Importer: o, IgnoreFuncBodies: declarations, Error: func(error) {}}
	p, _ := conf.Check(path, o.set, files, info)
	return p, files, info
}

// reads are the places of a folder that read text for people, by file and function.
func (o *ownImporter) reads(t *testing.T, dir string) map[string][]string {
	t.Helper()
	rel := strings.TrimPrefix(filepath.ToSlash(dir), "../../../")
	_, files, info := o.check(root+"/"+rel, dir, false)
	r := &proseReader{info: info, set: o.set, texts: map[types.Object]bool{}, out: map[string][]string{}}
	for before := -1; before < len(r.texts); { // what a text is assigned to, until nothing is new
		before = len(r.texts)
		for _, f := range files {
			ast.Inspect(f, r.assigns)
		}
	}
	for _, f := range files {
		r.file = filepath.ToSlash(strings.TrimPrefix(o.set.Position(f.Pos()).Filename, "../../../"))
		for _, d := range f.Decls {
			r.function = "var"
			if fn, ok := d.(*ast.FuncDecl); ok {
				r.function = fn.Name.Name
			}
			ast.Inspect(d, r.decides)
		}
	}
	return r.out
}

type proseReader struct {
	info           *types.Info
	set            *token.FileSet
	texts          map[types.Object]bool // variables with text for people
	file, function string
	out            map[string][]string
}

// assigns notes the variables that a text is assigned to.
func (r *proseReader) assigns(n ast.Node) bool {
	if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) == len(a.Rhs) {
		for i, x := range a.Rhs {
			if id, ok := a.Lhs[i].(*ast.Ident); ok && r.isProse(x) {
				if o := r.info.ObjectOf(id); o != nil {
					r.texts[o] = true
				}
			}
		}
	}
	if c, ok := n.(*ast.CallExpr); ok { // the parameters of functions of this package
		id, _ := c.Fun.(*ast.Ident)
		if s, ok := c.Fun.(*ast.SelectorExpr); ok {
			id = s.Sel
		}
		if id == nil {
			return true
		}
		fn, ok := r.info.Uses[id].(*types.Func)
		if !ok {
			return true
		}
		params := fn.Signature().Params()
		for i, x := range c.Args {
			if i < params.Len() && r.isProse(x) {
				r.texts[params.At(i)] = true
			}
		}
	}
	return true
}

// isProse reports whether an expression is text for people.
func (r *proseReader) isProse(x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return r.texts[r.info.ObjectOf(x)]
	case *ast.BinaryExpr:
		return x.Op == token.ADD && (r.isProse(x.X) || r.isProse(x.Y))
	case *ast.SelectorExpr:
		s := r.info.Selections[x]
		if s == nil {
			return r.texts[r.info.Uses[x.Sel]]
		}
		of := s.Recv()
		for _, i := range s.Index()[:len(s.Index())-1] { // of an embedded struct
			if st, ok := deref(of).Underlying().(*types.Struct); ok {
				of = st.Field(i).Type()
			}
		}
		named, ok := deref(of).(*types.Named)
		if !ok || named.Obj().Pkg() == nil {
			return false
		}
		p := named.Obj().Pkg().Path()
		return (p == root+"/casefile" || p == root+"/diagnose") && slices.Contains(prose[named.Obj().Name()], x.Sel.Name)
	}
	return false
}

func deref(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	return types.Unalias(t)
}

// textMakers are the functions of package strings that make text and look for nothing in it.
var textMakers = []string{"Repeat", "Join", "ToLower", "ToUpper", "ToValidUTF8", "NewReader", "Clone", "Compare", "Title"}

// decides notes where a text is looked into.
func (r *proseReader) decides(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		s, ok := n.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		x, ok := s.X.(*ast.Ident)
		reads := ok && (x.Name == "strings" && !slices.Contains(textMakers, s.Sel.Name) ||
			x.Name == "words" && s.Sel.Name == "Sentences") ||
			strings.HasPrefix(s.Sel.Name, "Match") || strings.HasPrefix(s.Sel.Name, "Find")
		if reads && slices.ContainsFunc(n.Args, r.isProse) {
			r.note(n)
		}
	case *ast.BinaryExpr:
		if (n.Op == token.EQL || n.Op == token.NEQ) &&
			(r.isProse(n.X) && !r.empty(n.Y) || r.isProse(n.Y) && !r.empty(n.X)) {
			r.note(n)
		}
	case *ast.SwitchStmt:
		if n.Tag != nil && r.isProse(n.Tag) {
			r.note(n.Tag)
		}
	case *ast.IndexExpr:
		if r.isProse(n.Index) {
			r.note(n)
		}
	}
	return true
}

func (r *proseReader) empty(x ast.Expr) bool {
	v := r.info.Types[x].Value
	return v != nil && v.ExactString() == `""`
}

func (r *proseReader) note(n ast.Node) {
	at := r.file + ":" + r.function
	pos := r.set.Position(n.Pos())
	src, _ := os.ReadFile(pos.Filename)
	line := strings.Split(string(src), "\n")[pos.Line-1]
	r.out[at] = append(r.out[at], fmt.Sprintf("line %d: %s", pos.Line, strings.TrimSpace(line)))
}
