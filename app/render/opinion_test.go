package render_test

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/casefile"
)

// A ticket has what others say; none of their markup is any.
func TestMarkdownOpinions(t *testing.T) {
	d := render.Document{Opinions: []casefile.Opinion{{ID: "O1", Author: "<b>Ann</b>", Cause: "# it <script>",
		Verdict: "supported",
		Where:   []casefile.At{{Function: "main.f", File: "a|b.go", Line: 7}},
		Change:  "use [x](http://evil.example) @all",
		Diff:    "--- a/x\n```\n@@ -1 +1 @@\n-a\n+b\n", Gain: &casefile.Claim{Resource: "cpu", Low: 0.1, High: 0.2},
		Reasons: []casefile.Reason{{Verdict: "supported", About: "place", Text: "it is there", Facts: []string{"C1"}}},
		Proof:   &casefile.OpinionProof{Verdict: casefile.Better, Summary: "less"}}}}
	var b strings.Builder
	if err := render.Markdown(&b, d); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"## Opinions\n", "### O1 supported, by \\<b\\>Ann\\</b\\>\n", "`main.f (a|b.go:7)`",
		"10–20 % of cpu", "Check: supported, place: it is there (C1)", "**Proof:** better: less", "\n    +b\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("there is no %q in\n%s", want, b.String())
		}
	}
	for _, bad := range []string{"\n# it", "://evil", "@all", "\n```"} {
		if strings.Contains(b.String(), bad) {
			t.Errorf("it has %q:\n%s", bad, b.String())
		}
	}
}
