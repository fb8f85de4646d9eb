package diagnose_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose"
)

// TestForeignGrowth: growth below no line of the user's is attributed to the dependency that keeps the memory.
func TestForeignGrowth(t *testing.T) {
	const (
		metrics = " example.com/metrics.(*Vec).get:42 example.com/metrics.(*Vec).With:50 " +
			"example.com/metrics/web.Count.func1:7 net/http.(*conn).serve:9"
		setUp   = "example.com/metrics.(*Vec).init:3 example.com/metrics.New:4 main.main:12"
		wrapped = "main.orders:24 net/http.HandlerFunc.ServeHTTP:2 example.com/metrics/web.Count.func1:8 " +
			"net/http.(*conn).serve:9"
	)
	heap := func(entries int64) []byte {
		return liveHeap(t,
			heapLine{"example.com/metrics.newSeries:70" + metrics, entries, entries * 4096, 0},
			heapLine{"example.com/metrics.copyLabels:30" + metrics, entries, entries * 3000, 0},
			heapLine{"bufio.NewReaderSize:1 net/http.(*conn).serve:9", entries, entries * 100, 0},
			heapLine{setUp, 1, 4096, 0}, heapLine{wrapped, 10, 10 << 10, 1 << 20})
	}
	t.Run("named", func(t *testing.T) {
		f, score := scoreOf(t, apart(70, heap(1000), heap(9000)), "mem-leak")
		if score < 50 {
			t.Fatalf("scores %d, want 50 or more", score)
		}
		var got []string
		for _, w := range f.Where {
			got = append(got, w.Function)
		}
		want := []string{"example.com/metrics.(*Vec).get", "example.com/metrics/web.Count.func1", "main.orders",
			"main.main"}
		if !slices.Equal(got, want) {
			t.Errorf("names %v, want %v", got, want)
		}
		if !strings.Contains(f.Summary, "None of the program's own code") {
			t.Errorf("the summary %q does not say whose the line is", f.Summary)
		}
	})
	t.Run("the standard library's is nobody's", func(t *testing.T) {
		buffers := func(n int64) []byte {
			return liveHeap(t, heapLine{"bufio.NewReaderSize:1 net/http.(*conn).serve:9", n, n * 4096, 0})
		}
		if _, score := scoreOf(t, apart(70, buffers(1000), buffers(9000)), "mem-leak"); score != 0 {
			t.Errorf("scores %d, want nothing", score)
		}
	})
	t.Run("the user's own grows more", func(t *testing.T) {
		both := func(n int64) []byte {
			return liveHeap(t, heapLine{"example.com/metrics.newSeries:70" + metrics, n, n * 2048, 0},
				heapLine{"main.keep:5 main.main:9", n, n * 8192, 0})
		}
		if f, _ := scoreOf(t, apart(70, both(1000), both(9000)), "mem-leak"); len(f.Where) == 0 ||
			f.Where[0].Function != "main.keep" {
			t.Errorf("blames %v, want main.keep first", f.Where)
		}
	})
}

// Growth over seconds that rests on a handful of samples is not a finding. The answer asks for the evidence that would
// decide it.
func TestLeakOfFewSamples(t *testing.T) {
	heap := func(n int64) []byte { return liveHeap(t, heapLine{"main.keep:5 main.main:9", n, n * 4096, 0}) }
	rep := diagnose.Run(t.Context(), apart(20, heap(100), heap(1500)), diagnose.Options{})
	for _, f := range rep.Findings {
		if f.Kind == "mem-leak" {
			t.Errorf("found: %s", f.Summary)
		}
	}
	for _, u := range rep.Undecided {
		if u.Kind == "mem-leak" && strings.Contains(u.CaptureNext, "sleep 300") {
			return
		}
	}
	t.Errorf("undecided %v, want mem-leak to ask for a profile five minutes later", rep.Undecided)
}

// TestTwoLeaks: each function with a third of the growth is told, but for parts of one entry.
func TestTwoLeaks(t *testing.T) {
	heap := func(n int64, session, event string) []byte {
		return liveHeap(t, heapLine{"main.base:1", 2000, 40 * mib, 0}, heapLine{session, 2 * n, 4 * n << 10, 2 * n},
			heapLine{event, n, 3 * n << 10, n})
	}
	for _, tt := range []struct {
		session, event string
		want           []string
	}{
		{"main.newSession:7 main.login:20 main.serve:3", "main.(*log).add:9 main.track:31 main.serve:4",
			[]string{"main.newSession", "main.(*log).add"}},
		{"main.newSession:7 main.login:20 main.serve:3", "main.(*store).put:9 main.login:21 main.serve:3",
			[]string{"main.newSession"}},
	} {
		rep := diagnose.Run(t.Context(), apart(400, heap(1000, tt.session, tt.event), heap(90_000, tt.session, tt.event)),
			diagnose.Options{})
		var got []string
		for _, f := range rep.Findings {
			if f.Kind == "mem-leak" {
				got = append(got, f.Where[0].Function)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("leaks at %v, want %v", got, tt.want)
		}
	}
}
