package cli

import (
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/budget"
)

func TestBudgetValue(t *testing.T) {
	for _, c := range []struct {
		text string
		want budget.Limits
		says string
	}{
		{"cpu=72s", budget.Limits{CPU: 72 * time.Second}, "cpu=1m12s,bytes=512MiB,pause=500ms,longest=10ms"},
		{"cpu=-1, bytes=-1", budget.Limits{CPU: -1, Bytes: -1}, "cpu=-1,bytes=-1,pause=500ms,longest=10ms"},
		{"bytes=1.5GB,pause=1s,longest=20ms", budget.Limits{Bytes: 15e8, Pause: time.Second,
			Longest: 20 * time.Millisecond}, "cpu=36s,bytes=1500MB,pause=1s,longest=20ms"},
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
		{"ended", casefile.Trigger{Rule: "a", Time: at, Signal: "rss", Ended: at.Add(12 * time.Second)},
			at.Add(time.Minute), "held until 12:00:12, 12 s later"},
		{"held on", casefile.Trigger{Rule: "a", Time: at, Signal: "rss"}, at.Add(time.Minute),
			"still held when the case was closed"},
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
