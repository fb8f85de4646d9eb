package diagnose_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/internal/checkout"
)

// namesLeft is how many names of libraries and of the standard library's functions stand outside of package known. It
// only goes down: a new name is a row there, and so is one that moves.
const namesLeft = 9

// outsideNames are literals that are a name: a module's path with its host, or a package or a function of the standard
// library's. Text for people has spaces in it.
var outsideNames = regexp.MustCompile(`^(?:(?:[a-z0-9-]+\.)+(?:com|org|in|io|net|dev)/\S*` +
	`|(?:archive|bufio|bytes|compress|container|context|crypto|database|embed|encoding|errors|expvar|fmt|hash|html|` +
	`image|internal|io|iter|log|maps|math|mime|net|os|path|reflect|regexp|runtime|slices|sort|strconv|strings|sync|` +
	`syscall|text|time|unicode|unique)(?:/[a-z0-9./]+)*\.\S*` +
	`|(?:archive|compress|container|crypto|database|encoding|net|internal|runtime|sync|text|math|os|io|log|go)` +
	`/[a-z0-9/]+)$`)

// TestNamesLeft prints where the names are that are still outside.
func TestNamesLeft(t *testing.T) {
	checkout.Need(t)
	left, n := map[string][]string{}, 0
	for _, pattern := range []string{"*.go", "stacks/*.go", "traces/*.go", "refs/*.go", "view/*.go", "wait/*.go",
		"hold/*.go", "cost/*.go"} {
		files, err := filepath.Glob(filepath.Join("../../../diagnose", pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			names := namesIn(t, file)
			n += len(names)
			if len(names) > 0 {
				left[file] = names
			}
		}
	}
	for _, file := range slices.SortedFunc(maps.Keys(left), func(a, b string) int { return len(left[b]) - len(left[a]) }) {
		t.Logf("%4d %s: %s", len(left[file]), file, strings.Join(left[file][:min(len(left[file]), 3)], ", "))
	}
	t.Logf("%d names outside of package known, %d at most", n, namesLeft)
	if n > namesLeft {
		t.Errorf("%d names are outside of package known, want %d or fewer: a name is a row of known", n, namesLeft)
	}
	if n < namesLeft-20 {
		t.Errorf("%d names are left: lower namesLeft, which is %d", n, namesLeft)
	}
}

// namesIn are the literals of a file that are names, with their lines.
func namesIn(t *testing.T, file string) (out []string) {
	t.Helper()
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		if _, imports := n.(*ast.ImportSpec); imports {
			return false
		}
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if s, err := strconv.Unquote(lit.Value); err == nil && outsideNames.MatchString(s) {
				out = append(out, fmt.Sprintf("%q in line %d", s, set.Position(lit.Pos()).Line))
			}
		}
		return true
	})
	return out
}

// TestNamesAreSeen: the pattern knows a name from text.
func TestNamesAreSeen(t *testing.T) {
	for s, want := range map[string]bool{"github.com/redis/go-redis/": true, "net/http.(*Client).": true,
		"database/sql.": true, "os.(*File).Write": true, "gopkg.in/yaml.v3": true, "crypto/md5": true,
		"k8s.io/klog": true, "log.": true, "one MGET for all keys": false, "At {line}: net/http.Get": false, "reader": false,
		"io-small": false, "cpu.pb.gz": false} {
		if got := outsideNames.MatchString(s); got != want {
			t.Errorf("%q is a name: %v, want %v", s, got, want)
		}
	}
}
