package tables

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// TestMatchups wants a line for each form, compared with the first of its group, and figures of one of the things that
// an operation is made of.
func TestMatchups(t *testing.T) {
	var kept []byte
	make1000 := repeat("make", func(int) uint64 { kept = make([]byte, 1000); return uint64(len(kept)) })
	keep1000 := repeat("keep", func(int) uint64 { return uint64(len(kept)) })
	rs, err := pace{turn: time.Millisecond, turns: 3}.compare(t.Context(), []matchup{
		{subject: "a", forms: []contestant{make1000, keep1000}},
		{subject: "b", per: 10, forms: []contestant{make1000}},
	})
	rows := rs.rows()
	if err != nil || len(rows) != 3 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, want := range [][]string{{"a", "make"}, {"a", "keep"}, {"b", "make"}} {
		if !slices.Equal(rows[i][:2], want) || len(rows[i]) != len(matchupColumns("")) {
			t.Errorf("row %d: %q, want %q", i, rows[i], want)
		}
	}
	if rows[0][5] != "1×" {
		t.Errorf("the first form against itself: %q, want 1×", rows[0][5])
	}
	// The collector and other goroutines of this process allocate as well.
	for i, want := range []float64{1024, 0, 102.4} {
		if got := rs[i].bytes; got < want || got > 1.5*want+10 {
			t.Errorf("row %d: %g bytes for each, want about %g", i, got, want)
		}
	}
	_, err = pace{turns: 1}.matchups(t.Context(), []matchup{{subject: "differ", forms: []contestant{
		repeat("one", func(int) uint64 { return 1 }), repeat("two", func(int) uint64 { return 2 })}}})
	if err == nil || !strings.Contains(err.Error(), "do not do the same work") {
		t.Errorf("forms that compute different things: %v", err)
	}
}

// TestHeldCalls: a call ends with its caller only if it has its context.
func TestHeldCalls(t *testing.T) {
	for _, tt := range []struct {
		timeout, cancels bool
		want             int
	}{{false, false, abandoned}, {true, false, 0}, {false, true, 0}} {
		if got := heldCalls(tt.timeout, tt.cancels); got != tt.want {
			t.Errorf("heldCalls(%v, %v) = %d, want %d", tt.timeout, tt.cancels, got, tt.want)
		}
	}
}

// TestOvertake wants figures of every turn; how often one is overtaken is the machine's to say.
func TestOvertake(t *testing.T) {
	overtaken, waits, err := overtake(t.Context(), 1, 5)
	if err != nil || len(overtaken) != 5 || len(waits) != 5 {
		t.Fatalf("%v, %v, %v", overtaken, waits, err)
	}
	for i := range waits {
		if waits[i] < 0 || overtaken[i] < 0 {
			t.Errorf("turn %d: overtaken %g times in %g ns", i, overtaken[i], waits[i])
		}
	}
}

// TestEachOnDemand does every task once, with no more goroutines than may be.
func TestEachOnDemand(t *testing.T) {
	for _, limit := range []int{1, 3, 1000} {
		done := make([]int, 500)
		eachOnDemand(limit, len(done), func(i int) { done[i]++ })
		if i := slices.IndexFunc(done, func(n int) bool { return n != 1 }); i >= 0 {
			t.Errorf("with %d goroutines task %d was done %d times", limit, i, done[i])
		}
	}
}
