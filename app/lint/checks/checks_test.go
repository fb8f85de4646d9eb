package checks_test

import (
	"flag"
	"go/format"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/lint/checks"
	"github.com/gocasebook/casebook/app/txtartest"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
)

var update = flag.Bool("update", false, "write the .golden files anew")

// packages has a package for each check.
const packages = "testdata/checks.txtar"

// TestChecks runs each analyzer over its package of testdata, which says in comments what it reports, and in .golden
// files what its fixes make of it. Loading net/http from source takes seconds, so that all share one load.
func TestChecks(t *testing.T) {
	dir := t.TempDir()
	src := filepath.Join(dir, "src")
	txtartest.Unpack(t, packages, src)
	txtartest.Unpack(t, "testdata/modules.txtar", src)
	var names []string
	for _, a := range checks.All() {
		names = append(names, a.Name)
	}
	each := eachByName()
	if *update {
		for _, r := range analysistest.Run(t, dir, each, names...) {
			writeGolden(t, r)
		}
		txtartest.Pack(t, packages, src, func(name string) bool { // not what stands for other modules
			return !strings.Contains(strings.Split(name, "/")[0], ".")
		})
	}
	for _, r := range analysistest.RunWithSuggestedFixes(t, dir, each, names...) {
		said(t, r)
	}
}

// eachByName is an analyzer that runs the one that a package is named after.
func eachByName() *analysis.Analyzer {
	each := &analysis.Analyzer{Name: "each", Doc: "runs the analyzer that a package is named after"}
	for _, a := range checks.All() {
		each.Requires = append(each.Requires, a.Requires...)
	}
	slices.SortFunc(each.Requires, func(a, b *analysis.Analyzer) int { return strings.Compare(a.Name, b.Name) })
	each.Requires = slices.Compact(each.Requires)
	each.Run = func(pass *analysis.Pass) (any, error) {
		for _, a := range checks.All() {
			if a.Name == pass.Pkg.Name() {
				own := *pass
				own.Analyzer = a
				return a.Run(&own)
			}
		}
		return nil, nil
	}
	return each
}

// said holds what lint relies on: a diagnostic has a range and the name of its analyzer.
func said(t *testing.T, r *analysistest.Result) {
	name := r.Action.Package.Name
	if len(r.Diagnostics) < 2 {
		t.Errorf("%s of %s has %d lines to report, want several", name, packages, len(r.Diagnostics))
	}
	for _, d := range r.Diagnostics {
		if d.End <= d.Pos || d.Category != name {
			t.Errorf("%s: %s: range %d to %d, category %q", name, d.Message, d.Pos, d.End, d.Category)
		}
	}
}

// writeGolden applies the first fix of each diagnostic of a package. What it writes is to be read before it is
// committed.
func writeGolden(t *testing.T, r *analysistest.Result) {
	byFile := make(map[string][]analysis.TextEdit)
	fset := r.Action.Package.Fset
	for _, d := range r.Diagnostics {
		if len(d.SuggestedFixes) > 0 {
			edits := d.SuggestedFixes[0].TextEdits
			name := fset.Position(edits[0].Pos).Filename
			byFile[name] = append(byFile[name], edits...)
		}
	}
	for name, edits := range byFile {
		slices.SortStableFunc(edits, func(a, b analysis.TextEdit) int { return int(b.Pos - a.Pos) })
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range edits {
			from, to := fset.Position(e.Pos).Offset, fset.Position(max(e.End, e.Pos)).Offset
			text = slices.Concat(text[:from], e.NewText, text[to:])
		}
		if text, err = format.Source(text); err != nil {
			t.Fatalf("%s with its fixes: %v", name, err)
		}
		if err := os.WriteFile(name+".golden", text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAll: a name is what a user types and what a folder of its archive is called, a text says what is left alone.
func TestAll(t *testing.T) {
	all := checks.All()
	if err := analysis.Validate(all); err != nil {
		t.Fatal(err)
	}
	folders := make(map[string]bool)
	for _, f := range txtartest.Read(t, packages).Files {
		folders[path.Dir(f.Name)] = true
	}
	for _, a := range all {
		if !folders[a.Name] {
			t.Errorf("%s has no testdata", a.Name)
		}
		delete(folders, a.Name)
		if text := strings.Join(strings.Fields(a.Doc), " "); !strings.HasPrefix(text, "report ") ||
			!strings.Contains(text, "Not reported") && !strings.Contains(text, "are not reported") {
			t.Errorf("%s: its text must begin with what it reports and say what it does not", a.Name)
		}
	}
	for name, left := range folders {
		if left {
			t.Errorf("%s of %s belongs to no analyzer", name, packages)
		}
	}
}
