package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/budget"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

func TestBudgetValue(t *testing.T) {
	for _, c := range []struct {
		text string
		want budget.Limits
		says string
	}{
		{"cpu=72s", budget.Limits{CPU: 72 * time.Second}, "cpu=1m12s,bytes=512MiB,pause=500ms,longest=10ms"},
		{"cpu=-1, bytes=-1", budget.Limits{CPU: -1, Bytes: -1}, "cpu=-1,bytes=-1,pause=500ms,longest=10ms"},
		{"bytes=1.5GB,pause=1s,longest=20ms", budget.Limits{Bytes: 15e8, Pause: time.Second, Longest: 20 * time.Millisecond}, "cpu=36s,bytes=1500MB,pause=1s,longest=20ms"},
		{"pause=5ms", budget.Limits{Pause: 5 * time.Millisecond}, "cpu=36s,bytes=512MiB,pause=5ms,longest=5ms"},
	} {
		t.Run(c.text, func(t *testing.T) {
			var b budgetValue
			if err := b.Set(c.text); err != nil {
				t.Fatal(err)
			}
			if b.limits != c.want || b.String() != c.says {
				t.Errorf("limits %+v as %q, want %+v as %q", b.limits, b.String(), c.want, c.says)
			}
			var again budgetValue
			if err := again.Set(b.String()); err != nil || again.String() != c.says {
				t.Errorf("%q reads as %q, %v", b.String(), again.String(), err)
			}
		})
	}
}

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"plain – ünïcode 日本":    "plain – ünïcode 日本",
		"two\nlines\ttab":       "two lines tab",
		"\x1b[31mred\x07\x00":   "\ufffd[31mred\ufffd\ufffd",
		"right\u202eleft\u200b": "right\ufffdleft\ufffd",
		"bad \xff byte":         "bad \ufffd byte",
	} {
		if got := render.Plain(text); got != want {
			t.Errorf("render.Plain(%q) is %q, want %q", text, got, want)
		}
	}
}

func TestHeldText(t *testing.T) {
	at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.Local)
	for _, c := range []struct {
		name    string
		trigger casefile.Trigger
		closed  time.Time
		want    string
	}{
		{"ended", casefile.Trigger{Rule: "a", Time: at, Signal: "rss", Ended: at.Add(12 * time.Second)}, at.Add(time.Minute), "held until 12:00:12, 12.0 s later"},
		{"held on", casefile.Trigger{Rule: "a", Time: at, Signal: "rss"}, at.Add(time.Minute), "still held when the case was closed"},
		{"by hand", casefile.Trigger{Rule: "manual", Time: at}, at.Add(time.Minute), ""},
		{"killed", casefile.Trigger{Rule: "killed", Time: at, Signal: "rss"}, at.Add(time.Minute), ""},
		{"not closed", casefile.Trigger{Rule: "a", Time: at, Signal: "rss"}, time.Time{}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := heldText(c.trigger, c.closed); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestUndecidedStandTogether(t *testing.T) {
	var out strings.Builder
	p := newPrinter(&out)
	p.undecided([]casefile.Undecided{
		{Kind: "gc-cpu", Reason: "too few samples", CaptureNext: "take cpu"},
		{Kind: "surge", Reason: "too few goroutines", CaptureNext: "take goroutine"},
		{Kind: "hot", Reason: "too few samples", CaptureNext: "take cpu"},
		{Kind: "stacks", Reason: "too few of both", CaptureNext: "take cpu"},
		{Kind: "odd", Reason: "nobody knows"},
	})
	const want = `
Not judged, for lack of evidence:
  gc-cpu, hot: too few samples
  stacks: too few of both
    next: take cpu
  surge: too few goroutines
    next: take goroutine
  odd: nobody knows
`
	if out.String() != want {
		t.Errorf("it prints:\n%s\nwant:\n%s", out.String(), want)
	}
}

// In short it is a line, what a detector says of the evidence before what is missing, and the capture that decides most.
func TestUndecidedInShort(t *testing.T) {
	missing := func(n int) (all []casefile.Undecided) {
		for _, d := range diagnose.Detectors()[:n] {
			if len(d.Needs) > 0 {
				all = append(all, casefile.Undecided{ID: d.ID, Kind: d.Kind, Reason: d.Needs[0].Reason, CaptureNext: "take cpu"})
			}
		}
		return all
	}
	same := casefile.Undecided{ID: "x", Kind: "mem-leak", Reason: "both heap profiles are of one collection", CaptureNext: "take heap"}
	for _, c := range []struct {
		name string
		all  []casefile.Undecided
		want string
	}{
		{"nothing", nil, ""},
		{"missing", missing(5), "\nNot judged: 5 kinds, for lack of evidence; --all lists all.\n      next: take cpu\n"},
		{"one reason", []casefile.Undecided{same}, "\nNot judged: mem-leak, because both heap profiles are of one collection; --all\n            lists all.\n      next: take heap\n"},
		{"both", append(missing(2), same), "\nNot judged: mem-leak, because both heap profiles are of one collection; 2 more\n            kinds; --all lists all.\n      next: take cpu\n"},
	} {
		var out strings.Builder
		p := newPrinter(&out)
		p.undecidedInShort(c.all, "--all")
		if out.String() != c.want {
			t.Errorf("%s: it prints\n%q, want\n%q", c.name, out.String(), c.want)
		}
	}
}

// What a detector says of the evidence that there is stands before the list of what is missing, which is shortened.
func TestUndecidedOfWhatIsMissing(t *testing.T) {
	var out strings.Builder
	p := newPrinter(&out)
	var all []casefile.Undecided
	for _, d := range diagnose.Detectors() {
		if strings.HasPrefix(d.Kind, "mem-") {
			all = append(all, casefile.Undecided{ID: d.ID, Kind: d.Kind, Reason: d.Needs[0].Reason, CaptureNext: "take heap"})
		}
	}
	p.undecided(append(all, casefile.Undecided{Kind: "evidence-short", Reason: "it spans 2 s: too short", CaptureNext: "take longer"}))
	if got := out.String(); !strings.HasPrefix(got, "\nNot judged, for lack of evidence:\n  evidence-short: it spans 2 s: too short\n    next: take longer\n  mem-") ||
		strings.Count(got, ": no heap profile\n") != 1 || strings.Contains(got, "not in other evidence") {
		t.Errorf("it prints:\n%s", got)
	}
}
