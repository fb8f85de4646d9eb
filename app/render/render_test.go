package render

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// finding is a finding whose every text is s.
func finding(s, function, file string) casefile.Finding {
	return casefile.Finding{
		ID: "GC001", Kind: "gc-cpu", Title: s, Score: 80, Confidence: 0.9, Summary: s, Explanation: s,
		Where: []casefile.Frame{{Function: function, File: file, Line: 7, Share: 0.5, Role: s},
			{Function: "fmt.Sprintf", File: "fmt/print.go", Line: 2}},
		// a number that is not in the summary
		Impact: casefile.Impact{Resource: "cpu", Share: 0.5, Text: "4711 of it " + s,
			Gain: casefile.Gain{Low: 0.1, High: 0.2, Arithmetic: s}},
		Remedies: []casefile.Remedy{{Kind: casefile.Change, Title: s, Text: s, Price: s}},
		Evidence: []casefile.Basis{{File: file, Kind: "cpu", Text: s}},
	}
}

func TestEscape(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a method", "alloc_fmt.(*Ledger).line", `alloc_fmt.(\*Ledger).line`},
		{"emphasis with underscores", "_x_ __init__", `\_x\_ \_\_init\_\_`},
		{"HTML", "<script>alert(1)</script>", `\<script\>alert(1)\</script\>`},
		{"an entity", "&lt;", "&amp;lt;"},
		{"a cell's end", "a|b", `a\|b`},
		{"a code span", "`x`", "\\`x\\`"},
		{"a link", "[x](http://evil)", `\[x\](http:&#47;/evil)`},
		{"a picture", "![x](y)", `\!\[x\](y)`},
		{"a link without markup", "see www.evil.example", "see www&#46;evil.example"},
		{"a person", "@admin", "@<!-- -->admin"},
		{"an issue", "#12", `\#12`},
		{"a heading below", "a\n===", "a ==="},
		{"a list", "- a", `\- a`},
		{"a numbered list", "1. a", `1\. a`},
		{"a share is no list", "44.4 % of CPU", "44.4 % of CPU"},
		{"an escape sequence", "\x1b[2J", "\uFFFD\\[2J"},
		{"writing from right to left", "a\u202eb", "a\uFFFDb"},
		{"an escape of ours", `\*`, `\\\*`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := escape(c.text); got != c.want {
				t.Errorf("escape(%q) is %q, want %q", c.text, got, c.want)
			}
		})
	}
}

func TestCode(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"main.f", "`main.f`"}, {"a`b", "``a`b``"}, {"`a", "`` `a ``"}, {"a``b`", "``` a``b` ```"}, {"", ""},
		{"a\nb", "`a b`"},
	} {
		if got := code(c.text); got != c.want {
			t.Errorf("code(%q) is %q, want %q", c.text, got, c.want)
		}
	}
	if got, want := cell("map[a|b]"), "`map[a\\|b]`"; got != want {
		t.Errorf("cell is %q, want %q", got, want)
	}
}

// No text of a diagnosis breaks out of its place: each line of the document begins as it does with harmless texts.
func TestMarkdownHoldsItsForm(t *testing.T) {
	form := func(s string) []string {
		var b strings.Builder
		d := Document{Diagnosis: casefile.Diagnosis{Findings: []casefile.Finding{finding(s, s, s)},
			Undecided: []casefile.Undecided{{Kind: s, Reason: s, CaptureNext: s}},
			Picture: &casefile.Picture{Heap: &casefile.PictureLine{Text: s},
				Goroutines: &casefile.PictureLine{Text: s}}}, Read: []diagnose.Artefact{{Name: s, Text: s, Note: s}}}
		if err := Markdown(&b, d); err != nil {
			t.Fatal(err)
		}
		var starts []string
		for line := range strings.Lines(b.String()) {
			pipes := 0 // cells; elsewhere a pipe is a character like any other
			if line[0] == '|' {
				pipes = strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
			}
			starts = append(starts, strings.TrimRight(line[:min(len(line), 2)], "\\x \n`")+strings.Repeat("|", pipes))
		}
		return starts
	}
	want := form("x")
	for _, s := range []string{"x|y|z", "x\n# y\n", "x\n\n- y", "x`|`y", "x</td><h1>y", "x\r\n|---|"} {
		if got := form(s); strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%q changes the form to\n%s\nwant\n%s", s, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// sarifOf writes a document and reads it back as a program would.
func sarifOf(t *testing.T, d Document) map[string]any {
	t.Helper()
	var b strings.Builder
	if err := SARIF(&b, d); err != nil {
		t.Fatal(err)
	}
	var log struct {
		Schema  string `json:"$schema"`
		Version string
		Runs    []map[string]any
	}
	if err := json.Unmarshal([]byte(b.String()), &log); err != nil || log.Version != "2.1.0" || len(log.Runs) != 1 ||
		!strings.HasSuffix(log.Schema, "sarif-schema-2.1.0.json") {
		t.Fatalf("%v in %s", err, b.String())
	}
	return log.Runs[0]
}

// dig follows keys and indexes.
func dig(t *testing.T, v any, path ...any) any {
	t.Helper()
	for _, p := range path {
		switch p := p.(type) {
		case string:
			m, ok := v.(map[string]any)
			if !ok || m[p] == nil {
				t.Fatalf("no %v of %v in %v", p, path, v)
			}
			v = m[p]
		case int:
			l, ok := v.([]any)
			if !ok || p >= len(l) {
				t.Fatalf("no %v of %v in %v", p, path, v)
			}
			v = l[p]
		}
	}
	return v
}

// What the standard requires for the parts that are written (SARIF 2.1.0, 3.19, 3.27, 3.49, 3.52), and what GitHub
// requires in addition.
func TestSARIF(t *testing.T) {
	hostile := finding("x [y](http://evil)\x1b", "main.f", "/src/a b%.go")
	notice := finding("y", "main.f", "")
	notice.Score, notice.ID = 30, "GONE1"
	run := sarifOf(t, Document{Version: "v1", Diagnosis: casefile.Diagnosis{Findings: []casefile.Finding{hostile,
		notice, hostile},
		Undecided: []casefile.Undecided{{ID: "GC003", Kind: "gc-pointer-heap", Reason: "no heap profile",
			CaptureNext: "curl"}}}})

	rules := dig(t, run, "tool", "driver", "rules").([]any)
	seen := make(map[any]bool)
	for _, r := range rules {
		id := dig(t, r, "id")
		if seen[id] {
			t.Errorf("two rules are called %v", id)
		}
		seen[id] = true
		for _, path := range [][]any{{"shortDescription", "text"}, {"fullDescription", "text"}, {"help", "text"},
			{"defaultConfiguration", "level"}} {
			if dig(t, r, path...) == "" {
				t.Errorf("rule %v has an empty %v", id, path)
			}
		}
	}
	if len(rules) != len(diagnose.Detectors()) {
		t.Errorf("%d rules, want one for each of %d detectors", len(rules), len(diagnose.Detectors()))
	}
	for i, want := range []string{"error", "note", "error"} {
		if got := dig(t, run, "results", i, "level"); got != want {
			t.Errorf("level %v of result %d, want %s", got, i, want)
		}
	}
	r := dig(t, run, "results", 0)
	at := int(dig(t, r, "ruleIndex").(float64))
	if got := dig(t, rules, at, "id"); got != "GC001" || dig(t, r, "ruleId") != "GC001" {
		t.Errorf("ruleIndex %d is %v, want GC001", at, got)
	}
	if _, ok := dig(t, run, "results", 1).(map[string]any)["ruleIndex"]; ok {
		t.Error("a finding of no detector has a ruleIndex")
	}
	if text := dig(t, r, "message", "text").(string); strings.Contains(text, "](") || strings.Contains(text, "\x1b") {
		t.Errorf("the message has a link or control characters: %q", text)
	}
	if uri := dig(t, r, "locations", 0, "physicalLocation", "artifactLocation",
		"uri"); uri != "file:///src/a%20b%25.go" {
		t.Errorf("uri %v", uri)
	}
	if line := dig(t, r, "locations", 0, "physicalLocation", "region", "startLine"); line != 7.0 {
		t.Errorf("line %v, want 7", line)
	}
	one, two := dig(t, r, "partialFingerprints", identityKey),
		dig(t, run, "results", 2, "partialFingerprints", identityKey)
	if one == two {
		t.Error("two results have one fingerprint")
	}
	if got := dig(t, run, "invocations", 0, "toolExecutionNotifications", 0, "message",
		"text").(string); !strings.Contains(got, "no heap profile") {
		t.Errorf("notification %q", got)
	}
}
