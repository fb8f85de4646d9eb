package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// TestSourceLines: a place shows the lines that were read for it, as text, and the page says whose they are.
func TestSourceLines(t *testing.T) {
	at := casefile.Frame{Function: "main.f", File: "main.go", Line: 8, Source: &casefile.Excerpt{First: 7,
		Lines: []string{"\tif a<b {", "\t\tw.Write(\"</pre><script>\")"}}}
	var c casefile.Case
	c.Findings = []casefile.Finding{{ID: "CPU001", Kind: "cpu-hot-function", Title: "t", Where: []casefile.Frame{at},
		Source: []casefile.Settled{{Verdict: casefile.Confirms, Text: "the loop at :7 looks for a<b"}}}}
	var page bytes.Buffer
	if err := Write(&page, Input{Case: c, LinesNote: "Lines are those of today."}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<i>7</i>if a&lt;b {\n", `class="here"><i>8</i>    w.Write(&#34;&lt;/pre&gt;&lt;script&gt;&#34;)`,
		"<h4>Source</h4>", "confirms: the loop at :7 looks for a&lt;b", "Lines are those of today."} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page has no %s", want)
		}
	}
}
