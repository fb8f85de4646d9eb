package rewrite_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/fix/rewrite"
	"github.com/gocasebook/casebook/app/txtartest"
	"github.com/gocasebook/casebook/internal/golden"
)

// packages has a folder for each rewriter.
const packages = "testdata/packages.txtar"

// TestRewriters makes all changes of NAME in packages, and of testdata/modules/NAME, where the forms are of modules:
// those that are made are in the golden file, and so is each refusal with its line. What came out must compile.
func TestRewriters(t *testing.T) {
	t.Setenv("GOWORK", "off")
	own := unpacked(t)
	for _, r := range rewrite.All() {
		t.Run(r.Name, func(t *testing.T) {
			made := 0
			for _, dir := range []string{own, "testdata/modules"} {
				if _, err := os.Stat(filepath.Join(dir, r.Name)); err == nil {
					made += rewritten(t, r, dir)
				}
			}
			if made == 0 {
				t.Error("nothing is changed: the test cannot fail")
			}
		})
	}
}

// unpacked is a folder with the packages. With -update the golden files that a test writes there become part of the
// archive.
func unpacked(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	txtartest.Unpack(t, packages, dir)
	if golden.Updating() {
		t.Cleanup(func() { txtartest.Pack(t, packages, dir, func(string) bool { return true }) })
	}
	return dir
}

// rewritten makes the changes of the packages in a folder of a module, and counts them.
func rewritten(t *testing.T, r rewrite.Rewriter, module string) (made int) {
	t.Helper()
	dir, err := filepath.Abs(module)
	if err != nil {
		t.Fatal(err)
	}
	l := rewrite.Loader{Dir: dir}
	units, skipped, err := l.Load(t.Context(), "./"+r.Name+"/...")
	if err != nil || len(units) == 0 || len(skipped) > 0 {
		t.Fatalf("%d packages, left out %v, %v; want one or more", len(units), skipped, err)
	}
	for _, u := range units {
		made += changed(t, r, l, u)
	}
	return made
}

// changed makes all changes of a package at once.
func changed(t *testing.T, r rewrite.Rewriter, l rewrite.Loader, u *rewrite.Unit) (made int) {
	t.Helper()
	var edits []rewrite.Edit
	var imports []rewrite.Import
	var said []string
	for _, c := range r.Find(u) {
		at := c.Where[0]
		if c.Refused != "" {
			said = append(said, fmt.Sprintf("// %03d refused: %s", at.From, c.Refused))
			continue
		}
		made++
		said = append(said, fmt.Sprintf("// %03d %s", at.From, c.Text))
		edits, imports = append(edits, c.Edits...), append(imports, c.Imports...)
	}
	slices.Sort(said)
	files, err := rewrite.Apply(os.ReadFile, edits, imports)
	if err != nil {
		t.Fatal(err)
	}
	if made == 0 {
		for file := range u.Source {
			golden.Is(t, file+".golden", "// Made of "+filepath.Base(file)+": nothing.\n"+strings.Join(said, "\n")+"\n")
		}
		return 0
	}
	for file, data := range files {
		text := "// Made of " + filepath.Base(file) + ":\n" + strings.Join(said, "\n") + "\n\n" + string(data)
		golden.Is(t, file+".golden", text)
	}
	l.Overlay = files
	after, skipped, err := l.Load(t.Context(), u.Path)
	if err != nil || len(skipped) > 0 {
		t.Fatalf("what came out does not compile: %v, %v", skipped, err)
	}
	if was, is := u.API(), after[0].API(); was != is {
		t.Errorf("the package's API was\n%s\nand is\n%s", was, is)
	}
	again := 0
	for _, c := range r.Find(after[0]) {
		if c.Refused == "" {
			again++
		}
	}
	if again > 0 {
		t.Errorf("%d changes could be made again of what came out", again)
	}
	return made
}
