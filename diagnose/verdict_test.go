package diagnose

import (
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// TestVerdictText: a sentence says things once, and in the words of a title that says it all.
func TestVerdictText(t *testing.T) {
	f := func(title, remedy string, gain float64) casefile.Finding {
		return casefile.Finding{ID: "X1", Kind: "some-kind", Title: title,
			Impact:   casefile.Impact{Resource: effectLatency, Gain: casefile.Gain{Low: gain / 2, High: gain}},
			Remedies: []casefile.Remedy{{Title: remedy}}}
	}
	const measure = "; casebook prove measures the gain."
	for _, tt := range []struct{ got, want string }{
		{causeText("Requests are late", f("Requests wait for fsync at main.keep (main.go:7)", "One sync for all", 0.8)),
			"Requests wait for fsync at main.keep (main.go:7); change: one sync for all; expect 40–80 % less waiting."},
		{causeText("Requests are late", f("12 requests wait for one of 3 places", "Make it 9", 0)),
			"12 requests wait for one of 3 places; change: make it 9" + measure},
		{causeText("Connections pile up", f("90 HTTP connections stay open", "Close them", 0)),
			"90 HTTP connections stay open; change: close them" + measure},
		{causeText("Requests are late", f("The lock at main.get is held while sleeping", "Take it out", 0)),
			"Requests are late because the lock at main.get is held while sleeping; change: take it out" + measure},
		{causeText("The CPU is used up", f("The CPU quota stops the process", "More CPU", 0)),
			"The CPU quota stops the process; change: more CPU" + measure},
		{causeText("The whole process stands still", f("The world waits for a loop", "Do it in pieces", 0)),
			"The whole process stands still because the world waits for a loop; change: do it in pieces" + measure},
		{noticeText(f("Requests have hung", "Give the call a deadline", 0), true),
			"Worth a look: requests have hung; change: give the call a deadline" + measure},
		{noticeText(f("Go 1.25 has a known fault", "Build with Go 1.26", 0), false),
			"Worth knowing: Go 1.25 has a known fault; change: build with Go 1.26" + measure},
	} {
		if tt.got != tt.want {
			t.Errorf("got  %s\nwant %s", tt.got, tt.want)
		}
	}
}
