package report

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/traces"
)

func TestEvidenceURL(t *testing.T) {
	for got, want := range map[string]string{
		evidenceURL("ID", "trace"): "/cases/ID/trace",
		evidenceURL("ID", "profile", "file", "during/a b&c.gz", "base", ""):  "/cases/ID/profile?file=during/a+b%26c.gz",
		evidenceURL("ID", "profile", "file", "a", "base", "X/during/cpu.gz"): "/cases/ID/profile?file=a&base=X/during/cpu.gz",
		downloadURL("ID", "during/a b?.gz"):                                  "/api/v1/cases/ID/evidence/during/a%20b%3F.gz",
	} {
		if got != want {
			t.Errorf("the address is %s, want %s", got, want)
		}
	}
}

// Without names a page shows the latest dump, or the latest profile, and its growth since the first of its kind.
func TestChooseGoroutines(t *testing.T) {
	at := func(minute int, kind, file string) casefile.Evidence {
		return casefile.Evidence{Kind: kind, File: file, GoFormat: kind == casefile.Goroutine,
			Taken: time.Date(2026, 11, 21, 13, minute, 0, 0, time.UTC)}
	}
	profiles := []casefile.Evidence{at(3, casefile.Goroutine, "p3"), at(1, casefile.Goroutine, "p1"),
		at(2, casefile.Goroutine, "p2"), at(1, casefile.CPU, "cpu")}
	oneDump := append([]casefile.Evidence{at(2, casefile.GoroutineDump, "d2")}, profiles...)
	twoDumps := append([]casefile.Evidence{at(1, casefile.GoroutineDump, "d1")}, oneDump...)
	for _, tc := range []struct {
		name           string
		evidence       []casefile.Evidence
		file, base     string
		want, wantBase string
		ok             bool
	}{
		{"profiles", profiles, "", "", "p3", "p1", true},
		{"one dump", oneDump, "", "", "d2", "", true},
		{"two dumps", twoDumps, "", "", "d2", "d1", true},
		{"the first has no growth", profiles, "p1", "", "p1", "", true},
		{"a base that is named", profiles, "p3", "p2", "p3", "p2", true},
		{"a later base", profiles, "p1", "p3", "p1", "p3", true},
		{"no base", profiles, "p3", NoBase, "p3", "", true},
		{"a base of another kind", twoDumps, "d2", "p1", "d2", "", false},
		{"a base that is not there", profiles, "p3", "p9", "p3", "", false},
		{"a file that is not there", profiles, "p9", "", "", "", false},
		{"another kind of file", profiles, "cpu", "", "", "", false},
		{"none", nil, "", "", "", "", false},
	} {
		file, base, ok := ChooseGoroutines(casefile.Case{Evidence: tc.evidence}, tc.file, tc.base)
		if file != tc.want || base != tc.wantBase || ok != tc.ok {
			t.Errorf("%s: %q, %q, %v; want %q, %q, %v", tc.name, file, base, ok, tc.want, tc.wantBase, tc.ok)
		}
	}
}

// The parts of a bar fill it, and the words beside it name what has a percent or more.
func TestSplit(t *testing.T) {
	s := newSplit(traces.Spent{Running: 40, Assist: 9, Runnable: 30, Network: 20, Sleep: 1, Lock: 0}, 5)
	sum := 0.0
	for i, p := range s.Parts {
		if p.X != sum {
			t.Errorf("part %d begins at %g, want %g", i, p.X, sum)
		}
		sum += p.Width
	}
	if math.Abs(sum-100) > 1e-9 {
		t.Errorf("the parts add up to %g %%", sum)
	}
	if want := spaced("running 40_%, GC assist 9_%, runnable 30_%, network 20_%, sleep 1_%, world stopped meanwhile 5_%"); s.Text !=
		want {
		t.Errorf("it says %q, want %q", s.Text, want)
	}
	if none := newSplit(traces.Spent{}, 0); len(none.Parts) != 0 || none.Text != "" {
		t.Errorf("of nothing: %+v", none)
	}
}

// The axis of a table goes between powers of ten, and every strip is on it.
func TestAxis(t *testing.T) {
	all := []traces.Times{{Count: 3, Min: 20 * time.Microsecond, P50: 100 * time.Microsecond, P99: 9 * time.Millisecond,
		Max: 10 * time.Millisecond}, {Count: 1}, {}}
	a := axisOf(all)
	if got := a.String(); got != spaced("10_µs to 10_ms") {
		t.Errorf("the axis is %q", got)
	}
	for _, times := range all {
		s := a.row("x", times).Strip
		if times.Count == 0 {
			if s != nil {
				t.Error("a row without durations has a strip")
			}
			continue
		}
		if s.Min < 0 || s.Min+s.Width > 101 || s.Box < s.Min-1 || s.Box+s.BoxWidth > 101 {
			t.Errorf("the strip of %+v is %+v", times, *s)
		}
	}
	if s := a.row("x", all[0]).Strip; math.Abs(s.Mid-100.0/3) > 1e-9 {
		t.Errorf("the median is at %g %%, want a third of three decades", s.Mid)
	}
	if a := axisOf(nil); a.String() != "" {
		t.Errorf("of nothing: %q", a)
	}
	if r := axisOf([]traces.Times{{Count: 1}}).row("x", traces.Times{Count: 1}); strings.Contains(r.Max, "NaN") {
		t.Errorf("durations of zero: %+v", r)
	}
}
