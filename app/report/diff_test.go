package report

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

func diffOf(t testing.TB, before, after []string, pair ProfilePair) *graph {
	t.Helper()
	pair.Kind, pair.Before, pair.After = "cpu", folded(t, before...), folded(t, after...)
	return newDiffs([]ProfilePair{pair}, maxPageNodes, stacks.NewTable(""))[0]
}

// Shares come from the profiles, the level from outside: a service that halves its CPU has half in every frame.
func TestDiffIsPerRequest(t *testing.T) {
	g := diffOf(t, []string{"main.main;main.a 400", "main.main;main.b 400"}, []string{"main.main;main.a 400"},
		ProfilePair{LevelBefore: 200e-6, LevelAfter: 100e-6, Unit: vitals.Seconds})
	if g.Problem != "" {
		t.Fatal(g.Problem)
	}
	rows := make(map[string]movedRow)
	for _, r := range g.Moved {
		rows[r.Function.Name] = r
	}
	if _, moved := rows["main.a"]; moved {
		t.Errorf("main.a costs 100 µs a request on both sides, and moved: %+v", rows["main.a"])
	}
	if b := rows["main.b"]; b.Before != "100\u00a0µs" || b.After != "0\u00a0s" || b.Share != "−50\u00a0%" || !b.Sure {
		t.Errorf("main.b: %+v, want 100 µs before, nothing after, half of the whole", b)
	}
	if got := g.diffSummary(); got != "200\u00a0µs before, 100\u00a0µs after (−50\u00a0%)" {
		t.Errorf("the whole: %s", got)
	}
}

// What sampling error or the noise floor can explain is not called a change.
func TestDiffAllowsForNoise(t *testing.T) {
	few := func(a, b string) *graph {
		return diffOf(t, []string{"main.main;main.a " + a, "main.rest 1000"},
			[]string{"main.main;main.a " + b, "main.rest 1000"},
			ProfilePair{LevelBefore: 1, LevelAfter: 1, Unit: vitals.Seconds, Noise: 0.05})
	}
	for _, tt := range []struct {
		before, after string
		sure          bool
	}{{"10", "14", false}, {"100", "140", false}, {"100", "300", true}} {
		g := few(tt.before, tt.after)
		for _, r := range g.Moved {
			if r.Function.Name == "main.a" && r.Sure != tt.sure {
				t.Errorf("from %s to %s samples of some 1,000: sure is %v, want %v", tt.before, tt.after, r.Sure,
					tt.sure)
			}
		}
	}
}

func TestDiffProblems(t *testing.T) {
	table := stacks.NewTable("")
	fine := folded(t, "main.main 3")
	for name, pair := range map[string]ProfilePair{
		"before": {Before: []byte("<html>"), After: fine},
		"after":  {Before: fine, After: nil},
	} {
		if g := newDiff(&pair, table); !strings.Contains(g.Problem, "the side "+name) {
			t.Errorf("without a readable side %s the problem is %q", name, g.Problem)
		}
	}
	g := newDiff(&ProfilePair{Before: fine, After: fine}, table)
	if g.Problem != "" || len(g.Notes) == 0 || !strings.Contains(g.Notes[0], "by their shares") {
		t.Errorf("without a level: problem %q, notes %q; want a comparison by shares that says so", g.Problem, g.Notes)
	}
}
