package known

import (
	"slices"
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	for _, c := range []struct {
		name string
		role Role
		is   bool
	}{
		{"net/http.(*conn).serve", BeginsRequest, true},
		{"net/http.(*conn).serve.func1", BeginsRequest, true},
		{"net/http.(*conn).server", BeginsRequest, false}, // another function
		{"net/http.(*persistConn).roundTrip", CallsOut, true},
		{"net/http.(*persistConn).roundTrip", AsksOne, true},
		{"github.com/redis/go-redis/v9.(*Client).Process", CallsOut, true},
		{"github.com/redis/go-redisx.(*Client).Process", CallsOut, false},
		{"k8s.io/klog/v2.Info", Logs, true},
		{"gopkg.in/DataDog/dd-trace-go%2ev1/profiler.Start", Profiles, true},
		{"runtime/pprof.Do.func1", WrapsWork, true},
		{"runtime/pprof.(*Profile).WriteTo", WrapsWork, false},
		{"golang.org/x/sys/unix.Fsync", NamesSystemCall, true},
		{"modernc.org/libc.Xfsync", NamesSystemCall, true},
		{"main.main", BeginsRequest | CallsOut, false},
		{"", Logs, false},
		{"a", Logs, false},
	} {
		if got := Of(c.name).Is(c.role); got != c.is {
			t.Errorf("%s has the role %b: %v, want %v", c.name, c.role, got, c.is)
		}
	}
	if got := Of("database/sql.(*DB).QueryContext").What(); got != "the database" {
		t.Errorf("database/sql asks %q", got)
	}
}

// TestExact: the most exact pattern of the works that are asked for counts, and a row leaves out what it excepts.
func TestExact(t *testing.T) {
	fits := Fits("regexp.MustCompile")
	if one, other := Exact(fits, []Work{CompilesPattern}), Exact(fits, []Work{MatchesPattern}); one != 18 || other != 7 {
		t.Errorf("%d and %d, want the whole name and the package", one, other)
	}
	if Exact(fits, []Work{NoWork, Sorts}) != 0 || Of("sort.SearchInts").Does(Sorts) || !Of("sort.Slice").Does(Sorts) {
		t.Error("a search sorts, or a sort does not")
	}
}

// TestPatterns: a pattern takes its own name, closures and instances of it, and not the neighbour whose name goes on
// where it ends, unless it says that it is a family.
func TestPatterns(t *testing.T) {
	for _, row := range table() {
		for _, p := range row.Functions {
			name, family := strings.CutSuffix(p, "*")
			if !Match(p, name) || !Match(p, name+"[...]") || !Match(p, name+".func1") {
				t.Errorf("%q does not take itself", p)
			}
			if !family && isWord(name[len(name)-1]) && (Match(p, name+"X") || Match(p, name+"_")) {
				t.Errorf("%q takes %q", p, name+"X")
			}
		}
	}
}

// TestIndex: the index finds every row by a function of each of its patterns.
func TestIndex(t *testing.T) {
	for _, row := range table() {
		for _, p := range row.Functions {
			name := parse(p).prefix
			if f := Of(name); f.Roles&row.Roles != row.Roles || row.Work != NoWork && !f.Does(row.Work) {
				t.Errorf("%q is not found by its own pattern: %b, want %b and %d", p, f.Roles, row.Roles, row.Work)
			}
			if !slices.Contains(Names(row.Roles), p) || row.Work != NoWork && !slices.Contains(DoneBy(row.Work), p) {
				t.Errorf("Names(%b) or DoneBy(%d) has no %q", row.Roles, row.Work, p)
			}
		}
	}
}
