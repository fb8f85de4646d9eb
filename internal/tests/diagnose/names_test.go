package diagnose_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose"
)

// importPath finds the owner in a string that begins with the path of a package on GitHub.
var importPath = regexp.MustCompile(`^github\.com/([A-Za-z0-9-]+)/`)

// TestOwnersAreSpeltOnce: detectors recognize packages by their paths. A misspelt path recognizes nothing, silently.
// Mostly the right spelling is there as well, one letter away: "xeipuu" was beside "xeipuuv".
func TestOwnersAreSpeltOnce(t *testing.T) {
	seen := map[string]string{} // owner to where it first appears
	for text, at := range stringsOfPackage(t) {
		if m := importPath.FindStringSubmatch(text); m != nil && seen[m[1]] == "" {
			seen[m[1]] = at
		}
	}
	if len(seen) < 50 {
		t.Fatalf("%d owners of packages were found, want 50 or more: the test reads the wrong files", len(seen))
	}
	for a, at := range seen {
		for b := range seen {
			if len(a) < len(b) && oneLetterLess(a, b) || a < b && strings.EqualFold(a, b) {
				t.Errorf("%s: %q and %q (%s) are a letter apart: is one of them misspelt?", at, a, b, seen[b])
			}
		}
	}
}

// stringsOfPackage are the string literals of packages diagnose and known, without their tests, and where each is.
func stringsOfPackage(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("../../../diagnose/*.go")
	if err != nil {
		t.Fatal(err)
	}
	outside, err := filepath.Glob("../../../diagnose/known/*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, name := range append(files, outside...) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if text, err := strconv.Unquote(lit.Value); err == nil {
					found[text] = set.Position(lit.Pos()).String()
				}
			}
			return true
		})
	}
	return found
}

// oneLetterLess reports whether a is b without one of its letters.
func oneLetterLess(a, b string) bool {
	for i := range b {
		if a == b[:i]+b[i+1:] {
			return true
		}
	}
	return false
}

// TestAskedKinds: each of these names was asked for as something that Casebook finds. It is a kind, or another name of
// one, but never both.
func TestAskedKinds(t *testing.T) {
	const asked = `sched-latency sched-netpoll sched-idle-while-runnable sched-hog one-core gc-stw gc-latency
		cpu-throttled gomaxprocs-mismatch cpu-pressure mem-pressure mem-limit-near threads-growth fd-limit
		syscall-long io-unbatched io-fsync io-log lock-convoy lock-never-released chan-per-item conn-shared
		periodic-spike expiry-stampede startup-only overload slow-dependency known-fault`
	kinds, others := make(map[string]bool), make(map[string]bool)
	for _, d := range diagnose.Detectors() {
		kinds[d.Kind] = true
		for _, name := range d.OtherNames {
			others[name] = true
		}
	}
	for _, name := range strings.Fields(asked) {
		if kinds[name] == others[name] {
			t.Errorf("%s: a kind %t, another name of one %t; want one of the two", name, kinds[name], others[name])
		}
	}
}
