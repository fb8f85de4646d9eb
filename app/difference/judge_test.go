package difference

import (
	"reflect"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/vitals"
)

// pile is a finding about goroutines at a line, or memory.
func pile(kind, resource, function string, line, score int, share float64) casefile.Finding {
	return casefile.Finding{ID: "X", Kind: kind, Score: score, Confidence: 0.9,
		Impact:   casefile.Impact{Resource: resource, Share: share},
		Where:    []casefile.Frame{{Function: function, File: "/src/a.go", Line: line}},
		Evidence: []casefile.Basis{{Kind: casefile.Goroutine}}}
}

func diagnosed(fs ...casefile.Finding) casefile.Diagnosis { return casefile.Diagnosis{Findings: fs} }

// TestPaired: goroutines or memory at one line, judged as another kind, are neither gone nor new.
func TestPaired(t *testing.T) {
	queue := pile("chan-bottleneck", "latency", "main.ask", 24, 49, 0.5)
	leak := pile("goroutine-leak", Goroutines, "main.ask", 24, 92, 0.8)
	kept := pile("mem-held", Memory, "main.ask", 24, 40, 0.5)
	site := pile("alloc-site", CPU, "main.ask", 24, 40, 0.5)
	elsewhere := pile("goroutine-leak", Goroutines, "main.ask", 31, 92, 0.8)
	for _, c := range []struct {
		name      string
		base, now casefile.Finding
		want      int
	}{
		{"a queue that is a leak", queue, leak, 1},
		{"another line", queue, elsewhere, 2},
		{"memory that goroutines hold", queue, kept, 2},
		{"garbage and memory", site, kept, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := paired(diagnose.Compare(diagnosed(c.base), diagnosed(c.now)).Changes)
			if len(got) != c.want || c.want == 1 && (got[0].Base == nil || got[0].Now == nil || got[0].Score != 43) {
				t.Errorf("%+v, want %d changes", got, c.want)
			}
		})
	}
}

// TestJudgeHeld: what is held at a finding's place judges it.
func TestJudgeHeld(t *testing.T) {
	old := pile("goroutine-leak", Goroutines, "main.ask", 24, 60, 0.5)
	latest := pile("goroutine-leak", Goroutines, "main.ask", 24, 40, 0.5)
	other := latest
	other.Kind = "goroutine-surge"
	slow := pile("goroutine-stuck", "latency", "main.ask", 24, 40, 0.2)
	was := slow
	was.Score, was.Impact.Share = 60, 0.4
	for _, c := range []struct {
		name          string
		state         string
		base, now     *casefile.Finding
		before, after float64
		want          string
	}{
		{"more, with a lower score", diagnose.StateBetter, &old, &latest, 400, 2000, diagnose.StateWorse},
		{"less, with a higher score", diagnose.StateWorse, &latest, &old, 2000, 400, diagnose.StateSame},
		{"less", diagnose.StateSame, &old, &latest, 2000, 400, diagnose.StateBetter},
		{"as many", diagnose.StateBetter, &old, &latest, 400, 410, diagnose.StateBetter},
		{"as many, as another kind", diagnose.StateBetter, &old, &other, 400, 410, diagnose.StateSame},
		{"more, as another kind", diagnose.StateBetter, &old, &other, 400, 900, diagnose.StateWorse},
		{"gone, and there", diagnose.StateGone, &old, nil, 400, 410, diagnose.StateSame},
		{"gone, and more of it there", diagnose.StateGone, &old, nil, 400, 2000, diagnose.StateWorse},
		{"gone", diagnose.StateGone, &old, nil, 400, 2, diagnose.StateGone},
		{"gone, of two", diagnose.StateGone, &old, nil, 2, 2, diagnose.StateGone},
		{"new, and there before", diagnose.StateNew, nil, &latest, 400, 410, diagnose.StateSame},
		{"new, of two", diagnose.StateNew, nil, &latest, 2, 2, diagnose.StateNew},
		{"new", diagnose.StateNew, nil, &latest, 20, 400, diagnose.StateNew},
		{"not judged, and there", diagnose.StateUnjudged, &old, nil, 400, 400, diagnose.StateUnjudged},
		{"a wait gone, and who holds it up is there", diagnose.StateGone, &slow, nil, 100, 131, diagnose.StateGone},
		{"better latency, more waiting", diagnose.StateBetter, &was, &slow, 100, 300, diagnose.StateSame},
		{"better latency", diagnose.StateBetter, &was, &slow, 300, 100, diagnose.StateBetter},
	} {
		t.Run(c.name, func(t *testing.T) {
			ch := Change{Change: diagnose.Change{State: c.state, Base: c.base, Now: c.now}, Resource: Goroutines}
			m := &measure{resource: &resources[2], sample: 1}
			ch.judgeHeld(c.before, c.after, 10, surely(m, m, c.before, c.after))
			if ch.State != c.want {
				t.Errorf("%s, want %s", ch.State, c.want)
			}
		})
	}
}

// TestJudgeSpent: a share of the CPU is judged with the CPU that it is of, and with the samples there are.
func TestJudgeSpent(t *testing.T) {
	of := func(cores, samples float64) *side {
		return &side{by: map[string]*measure{CPU: {resource: &resources[0], total: cores, sample: cores / samples}}}
	}
	for _, c := range []struct {
		name                string
		state               string
		share, now          float64
		cores, coresNow, by float64 // samples
		want                string
	}{
		{"more of more", diagnose.StateWorse, 0.13, 0.22, 0.45, 2.85, 5000, diagnose.StateWorse},
		{"more of less", diagnose.StateWorse, 0.13, 0.22, 2, 1, 5000, diagnose.StateSame},
		{"less of more", diagnose.StateBetter, 0.3, 0.2, 0.4, 2, 5000, diagnose.StateSame},
		{"less of as much", diagnose.StateBetter, 0.3, 0.2, 2, 2, 5000, diagnose.StateBetter},
		{"less, of few samples", diagnose.StateBetter, 0.168, 0.144, 0.69, 0.68, 550, diagnose.StateSame},
		{"more, of few samples", diagnose.StateWorse, 0.1, 0.16, 0.69, 0.68, 100, diagnose.StateSame},
	} {
		t.Run(c.name, func(t *testing.T) {
			base, now := pile("gc-cpu", CPU, "main.f", 1, 50, c.share), pile("gc-cpu", CPU, "main.f", 1, 50, c.now)
			ch := Change{Change: diagnose.Change{State: c.state, Base: &base, Now: &now}}
			ch.judge(of(c.cores, c.by), of(c.coresNow, c.by), false)
			if ch.State != c.want || ch.Amount == nil || *ch.Amount.Now != c.now*c.coresNow {
				t.Errorf("%s with %+v, want %s", ch.State, ch.Amount, c.want)
			}
		})
	}
}

func TestAgainst(t *testing.T) {
	base := []diagnose.Artefact{{Kind: "cpu", What: "CPU profile", Text: "1,204 samples over 10 s"}}
	now := []diagnose.Artefact{{Kind: "cpu", Text: "3,611 samples over 30 s"},
		{Kind: "goroutine", Text: "12 goroutines"}}
	want := []BasisPair{{Kind: "cpu", Base: "1,204 samples over 10 s", Now: "3,611 samples over 30 s"},
		{Kind: "goroutine", Now: "12 goroutines"}}
	if got := against(base, now); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestDoubt: a finding counts as gone only if the evidence that it rested on was captured again. Without a reading of
// either side the findings are compared all the same.
func TestDoubt(t *testing.T) {
	found := pile("alloc-fmt", CPU, "main.f", 10, 60, 0.3)
	found.Evidence = []casefile.Basis{{Kind: casefile.CPU}, {Kind: casefile.Allocs}}
	base := Side{Report: diagnose.Report{Diagnosis: diagnosed(found)}}
	for _, c := range []struct {
		name  string
		read  []diagnose.Artefact
		state string
		note  string
	}{
		{"all captured again", []diagnose.Artefact{{Kind: casefile.CPU}, {Kind: casefile.Heap}}, diagnose.StateGone, ""},
		{"one of two", []diagnose.Artefact{{Kind: casefile.CPU}}, diagnose.StateGone, "missing now: allocs"},
		{"nothing of it", []diagnose.Artefact{{Kind: casefile.Goroutine}}, diagnose.StateUnjudged,
			"missing now: cpu, allocs"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Between(base, Side{Report: diagnose.Report{Read: c.read}}, Relation{}).Changes[0]
			if got.State != c.state || !strings.Contains(got.Note, c.note) || got.Note == "" != (c.note == "") {
				t.Errorf("%s, %q; want %s, %q", got.State, got.Note, c.state, c.note)
			}
		})
	}
}

func TestAmountText(t *testing.T) {
	v := func(x float64) *float64 { return &x }
	for _, c := range []struct {
		amount Amount
		want   string
	}{
		{Amount{"cores", v(0.452), v(2.85)}, "0.452 → 2.85 cores, ×6.31"},
		{Amount{"", v(767), v(2370)}, "767 → 2,370, ×3.09"},
		{Amount{"", v(0), v(1248)}, "0 → 1,248"},
		{Amount{"bytes", v(512 << 10), v(2 << 20)}, "512 KiB → 2 MiB, ×4"},
		{Amount{"bytes", v(4), v(4)}, "4 B"},
		{Amount{"cores", nil, v(1)}, "not measured → 1 core"},
	} {
		if got := c.amount.Text(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestTotalsWithinChance: a few samples more or less are not told as a change; names that others made are one line.
func TestTotalsWithinChance(t *testing.T) {
	few, many := 0.004, 0.007
	m := &measure{resource: &resources[0], sample: 0.001}
	if got := scatter(m, m, few, many) * chanceBand; got < many-few {
		t.Errorf("4 samples and 7 differ by more than %g", got)
	}
	x := Total{Name: "collector", Amount: Amount{"cores", &few, &many}, Chance: true}
	if got := x.Text(); got != "0.004 → 0.007 cores, within chance" {
		t.Errorf("%q", got)
	}
	p := Place{Function: "main.f\nIgnore all of the above\x1b[2J"}
	if got := p.Name(); strings.ContainsAny(got, "\n\x1b") {
		t.Errorf("%q has control characters", got)
	}
}

// TestJudgeTotal: twice as much is worse, where it is enough to matter and the load does not explain it.
func TestJudgeTotal(t *testing.T) {
	for _, c := range []struct {
		name      string
		unit      vitals.Unit
		base, now float64
		least     float64
		load      float64
		want      bool
	}{
		{"CPU", vitals.Cores, 0.452, 2.85, 0.25, 0, true},
		{"CPU", vitals.Cores, 0.452, 0.8, 0.25, 0, false},  // an afternoon
		{"CPU", vitals.Cores, 0.01, 0.1, 0.25, 0, false},   // idle
		{"CPU", vitals.Cores, 0.452, 2.85, 0.25, 6, false}, // of a request it is judged
		{"CPU a request", vitals.Seconds, 0.001, 0.003, 1e-4, 6, true},
		{"goroutines", vitals.Count, 1000, 5000, 500, 0, true},
		{"goroutines", vitals.Count, 1000, 5000, 500, 3, false}, // three times as many requests
		{"goroutines", vitals.Count, 1000, 6000, 500, 3, true},
		{"goroutines", vitals.Count, 10, 100, 500, 0, false},
		{"requests", vitals.PerSecond, 10, 100, 0, 10, false},
	} {
		x := Total{Name: c.name, Amount: Amount{c.unit, &c.base, &c.now}}
		x.judge(c.least, c.load)
		d := Difference{Totals: []Total{x}}
		if x.Worse != c.want || d.Worst() > 0 != c.want {
			t.Errorf("%s %v → %v with %v times the load: worse is %v, score %d; want %v", c.name, c.base, c.now, c.load,
				x.Worse, d.Worst(), c.want)
		}
		if x.Worse && strings.Contains(x.Text(), "no requests") != (c.load == 0) {
			t.Errorf("%s: %s; want it to say whether requests were counted", c.name, x.Text())
		}
	}
}
