package known_test

import (
	"testing"

	"github.com/gocasebook/casebook/diagnose/known"
)

func TestOf(t *testing.T) {
	for _, c := range []struct {
		name string
		role known.Role
		is   bool
	}{
		{"net/http.(*conn).serve", known.BeginsRequest, true},
		{"net/http.(*conn).serve.func1", known.BeginsRequest, true},
		{"net/http.(*conn).server", known.BeginsRequest, false}, // another function
		{"net/http.(*persistConn).roundTrip", known.CallsOut, true},
		{"net/http.(*persistConn).roundTrip", known.AsksOne, true},
		{"github.com/redis/go-redis/v9.(*Client).Process", known.CallsOut, true},
		{"github.com/redis/go-redisx.(*Client).Process", known.CallsOut, false},
		{"k8s.io/klog/v2.Info", known.Logs, true},
		{"gopkg.in/DataDog/dd-trace-go%2ev1/profiler.Start", known.Profiles, true},
		{"runtime/pprof.Do.func1", known.WrapsWork, true},
		{"runtime/pprof.(*Profile).WriteTo", known.WrapsWork, false},
		{"golang.org/x/sys/unix.Fsync", known.NamesSystemCall, true},
		{"modernc.org/libc.Xfsync", known.NamesSystemCall, true},
		{"main.main", known.BeginsRequest | known.CallsOut, false},
		{"", known.Logs, false},
		{"a", known.Logs, false},
	} {
		if got := known.Of(c.name).Is(c.role); got != c.is {
			t.Errorf("%s has the role %b: %v, want %v", c.name, c.role, got, c.is)
		}
	}
	if got := known.Of("database/sql.(*DB).QueryContext").What(); got != "the database" {
		t.Errorf("database/sql asks %q", got)
	}
}

// TestExact: the most exact pattern of the works that are asked for counts, and a row leaves out what it excepts.
func TestExact(t *testing.T) {
	fits := known.Fits("regexp.MustCompile")
	one, other := known.Exact(fits, []known.Work{known.CompilesPattern}), known.Exact(fits, []known.Work{known.MatchesPattern})
	if one != 18 || other != 7 {
		t.Errorf("%d and %d, want the whole name and the package", one, other)
	}
	if known.Exact(fits, []known.Work{known.NoWork, known.Sorts}) != 0 ||
		known.Of("sort.SearchInts").Does(known.Sorts) || !known.Of("sort.Slice").Does(known.Sorts) {
		t.Error("a search sorts, or a sort does not")
	}
}
