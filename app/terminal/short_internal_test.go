package terminal

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// TestShortLeavesOutWholeSentences: what a finding is in twelve lines ends where a sentence does, whatever is long in
// it, and what to do is left out last.
func TestShortLeavesOutWholeSentences(t *testing.T) {
	const first = "At cache.go:42: keep the entries in a list by time, and remove the oldest. "
	summary, long := "", "" // texts that say nothing twice
	for i := range 9 {
		summary += fmt.Sprintf("Sentence %d of the summary has a figure that somebody may read later. ", i)
		long += fmt.Sprintf("Sentence %d of the remedy explains what somebody may read later. ", i)
	}
	at := casefile.Frame{Function: "example.com/shop.(*Cache).Load", File: "/src/cache.go", Line: 42}
	for _, c := range []struct {
		name            string
		f               casefile.Finding
		remedy, missing string
	}{
		{"long texts", casefile.Finding{Summary: summary,
			Remedies: []casefile.Remedy{{Title: "Bound it", Text: first + long}}},
			"Bound it. At cache.go:42: keep the entries in a list by time, and remove the oldest.", "…"},
		{"a long summary", casefile.Finding{Summary: strings.Repeat("word ", 200) + "end.",
			Remedies: []casefile.Remedy{{Title: "Bound it", Text: first}}},
			"Bound it. At cache.go:42: keep the entries in a list by time, and remove the oldest.", "word"},
		{"a long remedy", casefile.Finding{Summary: "It grows.",
			Remedies: []casefile.Remedy{{Title: "Bound it", Text: strings.Repeat("word ", 200) + "end. After that."}}},
			"Bound it.", "word"},
		{"the place again", casefile.Finding{Summary: summary, Where: []casefile.Frame{at}, Remedies: []casefile.Remedy{
			{Title: "Bound it", Text: "At shop.(*Cache).Load (cache.go:44): remove the oldest. " + long}}},
			"Bound it. At cache.go:44: remove the oldest.", "…"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.f.Title = "Memory grows"
			var out bytes.Buffer
			(&Printer{W: &out, Width: 80}).inShort(c.f)
			text := strings.Join(strings.Fields(out.String()), " ")
			if n := strings.Count(out.String(), "\n"); n > mostLines {
				t.Errorf("%d lines", n)
			}
			if !strings.Contains(text, "remedy "+c.remedy) || strings.Contains(text, c.missing) {
				t.Errorf("want the remedy %q, and no %q:\n%s", c.remedy, c.missing, out.String())
			}
		})
	}
}
