package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

func TestSentences(t *testing.T) {
	for _, text := range []string{"", "One.", "One at v1.2.3 and 4. Two!\nThree? `code` ends. 9 more e.g. this.", "…\n\nÄ. Ö."} {
		if got := strings.Join(sentences(text), ""); got != text {
			t.Errorf("the sentences of %q are together %q", text, got)
		}
	}
	want := []string{"At cart.go:12 v1.2 is read. ", "Then `x` is. ", "`y` too."}
	if got := sentences(strings.Join(want, "")); !slices.Equal(got, want) {
		t.Errorf("sentences %q, want %q", got, want)
	}
}

// A reader meets a sentence once in a finding, and an explanation once on the page.
func TestNothingIsSaidTwice(t *testing.T) {
	in := sampleInput(t)
	fs := in.Case.Findings
	fs[0].Impact.Text = "The lock is held over I/O."
	fs[0].Explanation = "The lock is held over I/O. Everybody waits for the disk. Take the lock later."
	fs[0].Remedies = []casefile.Remedy{{Title: "Read first", Text: "Take the lock later."}}
	fs[1].Explanation = fs[0].Explanation
	page := text(render(t, in))
	for _, once := range []string{"The lock is held over I/O", "Everybody waits for the disk", "Take the lock later", "1,038 samples over 10.0 s"} {
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
