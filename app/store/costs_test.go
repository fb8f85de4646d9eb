package store

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// What findings cost now: those of open cases, the newest case of each, and those of the ranking with their cores.
func TestCosts(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		s := openRanked(t, cfg)
		s.now = opened.Add(time.Hour)
		leak := finding("mem-leak", 70, "main.leak")
		leak.Impact = casefile.Impact{Resource: "memory", Share: 0.9}
		older, newer := leak, leak
		older.Score, older.Impact.Share = 40, 0.2
		put(t, s.Store, newParcel(t, 1, "shop", older))
		put(t, s.Store, newParcel(t, 2, "shop", newer, finding("faint", 24, "main.faint")))
		proved := newParcel(t, 3, "users", finding("cpu-json", 60, "main.f"))
		put(t, s.Store, proved)
		if _, err := s.AddProof(t.Context(), proved.c.ID, casefile.Proof{Taken: opened, Verdict: casefile.Better,
			Summary: "a third less", Figures: lessCPU}, "ci"); err != nil {
			t.Fatal(err)
		}
		s.judge(anEngine, "cart", "v2", map[string]float64{"main.a": 2})
		both := finding("cpu-json", 60, "main.b") // of a case that is open and ranked
		both.ID, both.Impact.Share = "CPU003", 0.25
		put(t, s.Store, newParcel(t, 4, "mail", both))
		s.judge(SourceCases, "mail", "", map[string]float64{"main.b": 3})
		wantCosts(t, s.Store, "cases shop mem-leak main.leak 70: memory 0.90, 0.0 cores\n"+
			"cases mail cpu-json main.b 60: cpu 0.25, 3.0 cores\n"+
			anEngine+" cart cpu-json main.a 60: cpu 0.25, 2.0 cores\n")
		wantBeyond(t, s.Store, 1, 2)      // one of the two of cases, and one of the two that are ranked
		s.now = s.now.Add(OpenDays * day) // nobody judges, and the cases are history
		wantCosts(t, s.Store, "")
	})
}

// lessCPU is what a proof measured of CPU, and of nothing else.
var lessCPU = []casefile.Figure{{Name: "cpu", Unit: "cores", Better: "lower", Before: casefile.Stat{Value: 3, N: 6},
	After: casefile.Stat{Value: 2, N: 6}, Verdict: casefile.Better}}

// A proof of CPU closes what costs CPU, and leaves a leak of the same case open.
func TestProofClosesWhatItMeasured(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		s := openRanked(t, cfg)
		s.now = opened.Add(time.Hour)
		leak := finding("goroutine-leak", 70, "main.leak")
		leak.Impact = casefile.Impact{Resource: "goroutines", Share: 0.9}
		p := newParcel(t, 1, "shop", leak, finding("cpu-json", 60, "main.f"))
		put(t, s.Store, p)
		if _, err := s.AddProof(t.Context(), p.c.ID, casefile.Proof{Taken: opened, Verdict: casefile.Better,
			Summary: "a third less", Figures: lessCPU}, "ci"); err != nil {
			t.Fatal(err)
		}
		wantCosts(t, s.Store, "cases shop goroutine-leak main.leak 70: goroutines 0.90, 0.0 cores\n")
		if all, err := s.Activity(t.Context()); err != nil || len(all) != 1 || all[0].Open != 1 {
			t.Errorf("activity %+v, %v; want a case that is open", all, err)
		}
	})
}

// wantBeyond wants that findings are counted that are not listed.
func wantBeyond(t *testing.T, s *Store, most, want int) {
	t.Helper()
	list, leftOut, err := s.Costs(t.Context(), most)
	if err != nil || leftOut != want || len(list) == 0 {
		t.Errorf("with %d at most: %d, and %d left out, %v; want %d", most, len(list), leftOut, err, want)
	}
}

func wantCosts(t *testing.T, s *Store, want string) {
	t.Helper()
	list, leftOut, err := s.Costs(t.Context(), 100)
	if err != nil || leftOut != 0 {
		t.Fatal(leftOut, err)
	}
	var b strings.Builder
	for _, c := range list {
		fmt.Fprintf(&b, "%s %s %s %s %d: %s %.2f, %.1f cores\n", c.Source, c.Service, c.Kind, c.Function, c.Score,
			c.Resource, c.Share, c.Cores)
	}
	if b.String() != want {
		t.Errorf("findings cost\n%swant\n%s", b.String(), want)
	}
}
