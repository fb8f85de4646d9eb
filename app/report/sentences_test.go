package report

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// A sentence appears once in a finding, and an explanation once on the page.
func TestNothingIsSaidTwice(t *testing.T) {
	in := sampleInput(t)
	fs := in.Case.Findings
	fs[0].Impact.Text = "The lock is held over I/O."
	fs[0].Explanation = "The lock is held over I/O. Everybody waits for the disk. Take the lock later."
	fs[0].Remedies = []casefile.Remedy{{Title: "Read first", Text: "Take the lock later."}}
	fs[1].Explanation = fs[0].Explanation
	page := text(render(t, in))
	for _, once := range []string{"The lock is held over I/O", "Everybody waits for the disk", "Take the lock later",
		"1,038 samples over 10 s"} {
		want := 1
		if once == "The lock is held over I/O" { // and in the one line of a folded finding
			want = 2
		}
		if n := strings.Count(page, once); n != want {
			t.Errorf("the page says %q %d times, want %d", once, n, want)
		}
	}
	if !strings.Contains(page, "Why it matters: see the finding above") {
		t.Error("the second finding does not lead to the explanation of the first")
	}
	if in.Case.Findings[0].Remedies[0].Text == "" {
		t.Error("the caller's case was changed")
	}
}
