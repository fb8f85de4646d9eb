package known

import (
	"slices"
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

// TestIndex: the index finds every row by a function of each of its patterns.
func TestIndex(t *testing.T) {
	for _, row := range table() {
		for _, p := range row.Functions {
			name := parse(p).prefix
			if f := Of(name); !f.Is(row.Roles) {
				t.Errorf("%q is not found by its own pattern: %b, want %b", p, f.Roles, row.Roles)
			}
			if !slices.Contains(Names(row.Roles), p) {
				t.Errorf("Names(%b) has no %q", row.Roles, p)
			}
		}
	}
}
