package reporter

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/golden"
)

func TestSlackText(t *testing.T) {
	m := NewMessage(Report{Case: sample(), Folder: "/var/lib/case book/20261121T132512Z-gc-cpu-3f2a9c"})
	m.Host = "web-1"
	want := "*phones on web-1*: rule *gc-cpu* tripped: gc_cpu was 31 %, above 25 % for 5s\n" +
		"*critical GC003: Many pointers in the heap*: 35 M objects.\n" +
		"Where: `main.load (cache.go:42)`\n" +
		"Remedy: Keep the entries in pointer-free memory\n" +
		"1 more finding in the case.\n" +
		"Open: `casebook case show '/var/lib/case book/20261121T132512Z-gc-cpu-3f2a9c'`"
	if got := slackText(m); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	m.Findings, m.Evidence = nil, 4
	if got, want := slackText(m), "\nNo finding; 4 artefacts of evidence.\nOpen: "; !strings.Contains(got, want) {
		t.Errorf("without findings:\n%s\nwant %q in it", got, want)
	}
}

// Whatever name a service has, the message notifies nobody and contains no link made from it.
func TestSlackTextDefusesMarkup(t *testing.T) {
	c := sample()
	c.Target.Name = "<!channel>"
	c.Trigger.Text = "<https://evil.example|click> & <@U123>\n*more*"
	c.Findings[1].Where[0].Function = "main.`rm`.<T>"
	text := slackText(NewMessage(Report{Case: c}))
	for _, bad := range []string{"<", ">", "`rm`", "\n*more"} {
		if strings.Contains(text, bad) {
			t.Errorf("%q is in the text:\n%s", bad, text)
		}
	}
	for _, good := range []string{"&lt;!channel&gt;", "&amp; &lt;@U123&gt;", "`main.'rm'.&lt;T&gt; (cache.go:42)`"} {
		if !strings.Contains(text, good) {
			t.Errorf("%q is not in the text:\n%s", good, text)
		}
	}
}

func TestSlackTextIsShort(t *testing.T) {
	text := slackText(NewMessage(hugeReport()))
	if n := utf8.RuneCountInString(text); n > 4000 {
		t.Errorf("%d characters, want 4,000 at most", n)
	}
}

func FuzzSlackEscape(f *testing.F) {
	for _, s := range []string{"", "a & b", "<!channel>", "&amp;", "<a|b>", "`", "*_~", "\xff<"} {
		f.Add(s)
	}
	back := strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")
	f.Fuzz(func(t *testing.T, text string) {
		got := escapeSlack(text)
		if strings.ContainsAny(got, "<>") {
			t.Errorf("escapeSlack(%q) = %q", text, got)
		}
		if again := back.Replace(got); again != text {
			t.Errorf("escapeSlack(%q) = %q, which reads %q", text, got, again)
		}
		if inner := code(text); strings.Count(inner, "`") != 2 {
			t.Errorf("code(%q) = %q: the code ends early", text, inner)
		}
	})
}

// hugeReport has too much of everything.
func hugeReport() Report {
	long := strings.Repeat("<&>\"\n\x00é", 5000)
	c := sample()
	c.ID, c.Target.Name, c.Trigger.Text, c.Trigger.Rule = long, long, long, long
	c.Target.URL = "http://user:pass@127.0.0.1/" + strings.Repeat("x", 5000) + "?token=secret"
	labels := map[string]string{}
	for i := range 200 {
		labels[strings.Repeat("k", i+1)] = long
		c.Also = append(c.Also, casefile.Trigger{Rule: long})
		f := casefile.Finding{ID: long, Title: long, Summary: long, Score: 10}
		f.Where = []casefile.Frame{{Function: long, File: long, Line: 1}}
		f.Remedies = []casefile.Remedy{{Title: long}}
		c.Findings = append(c.Findings, f)
	}
	return Report{Case: c, Folder: "/" + long, Labels: labels}
}

func TestMessageGolden(t *testing.T) {
	m := NewMessage(Report{Case: sample(), Folder: "/var/lib/casebook/20261121T132512Z-gc-cpu-3f2a9c"})
	if host, err := os.Hostname(); err == nil && m.Host != host {
		t.Errorf("host %q, want %q", m.Host, host)
	}
	m.Host = "web-1"
	got, err := json.MarshalIndent(m, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	golden.Is(t, "testdata/message.json", string(got)+"\n")
}
