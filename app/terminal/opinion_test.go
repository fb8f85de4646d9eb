package terminal_test

import (
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/casefile"
)

func given() []casefile.Opinion {
	return []casefile.Opinion{{
		ID: "O1", Author: "an agent", Given: time.Date(2026, 11, 21, 13, 28, 0, 0, time.UTC),
		Where: []casefile.At{{Function: "main.(*catalogue).load", File: "main.go", Line: 34}, {File: "store.go",
			Line: 7}},
		Cause: "Nobody receives any more.", Change: "Give the channel a buffer.",
		Diff:  "--- a/x.go\n+++ b/x.go\n@@ -1 +1 @@\n-\tx\n+\ty\n",
		Rests: []string{"W1"}, Gain: &casefile.Claim{Resource: "goroutines", Low: 0.5, High: 0.9},
		Verdict: casefile.Supported,
		Reasons: []casefile.Reason{{Verdict: casefile.Supported, About: "place", Text: "it is there",
			Facts: []string{"W1"}},
			{Verdict: casefile.Supported, About: "gain", Text: "it is allowed"}},
		Proof: &casefile.OpinionProof{Verdict: casefile.Better, Summary: "p99 halved"},
	}, {ID: "O2", Verdict: "sold", Cause: "no idea"}}
}

// In short an opinion has its place, its cause, the worst reason and what a proof said; in full all that it has.
func TestOpinions(t *testing.T) {
	var b strings.Builder
	terminal.Opinions(&b, given(), "--verbose")
	short := b.String()
	for _, want := range []string{"O1 SUPPORTED  by an agent, 21 November 2026, 13:28 UTC\n",
		"  where  main.(*catalogue).load\n", "main.go:34\n", "  cause  Nobody receives any more.\n",
		"  change Give the channel a buffer.\n", "50–90 % of goroutines", "supported, place: it is there (W1)",
		"  proof  better: p99 halved\n", "5 lines: --verbose\n", "O2 UNCHECKED  by somebody without a name\n"} {
		if !strings.Contains(short, want) {
			t.Errorf("in short there is no %q:\n%s", want, short)
		}
	}
	b.Reset()
	terminal.Opinions(&b, given(), "")
	for _, want := range []string{"store.go:7\n", "it is allowed", "  rests  W1\n", "    -    x\n    +    y\n"} {
		if strings.Contains(short, want) || !strings.Contains(b.String(), want) {
			t.Errorf("only in full there is %q:\n%s", want, b.String())
		}
	}
	b.Reset()
	if terminal.Opinions(&b, nil, ""); b.Len() > 0 {
		t.Errorf("without opinions it prints %q", b.String())
	}
}

// Whatever an opinion holds, it is lines of text, and in short few of them.
func TestOpinionsAreText(t *testing.T) {
	evil := "\x1b[2J\r\n\u202e" + strings.Repeat("word ", 5000)
	o := given()[0]
	o.ID, o.Author, o.Cause, o.Change, o.Verdict = evil, evil, evil, evil, evil
	o.Diff = "\x1b[31m" + strings.Repeat("+line\x1b[2J\n", 1000)
	o.Where[0] = casefile.At{Function: evil, File: evil, Line: 1}
	o.Reasons[0] = casefile.Reason{Verdict: evil, About: evil, Text: evil, Facts: []string{evil}}
	o.Gain.Resource, o.Proof.Summary, o.Proof.Verdict = evil, evil, casefile.Verdict(evil)
	for _, more := range []string{"--verbose", ""} {
		var b strings.Builder
		terminal.Opinions(&b, []casefile.Opinion{o}, more)
		if strings.ContainsAny(b.String(), "\x1b\r\u202e") {
			t.Errorf("more %q: it has control characters", more)
		}
		if n := strings.Count(b.String(), "\n"); more != "" && n > 60 {
			t.Errorf("in short it has %d lines", n)
		}
		for line := range strings.Lines(b.String()) {
			if n := len([]rune(line)); more != "" && n > 81 {
				t.Errorf("in short a line has %d columns: %s", n, line)
			}
		}
	}
}
