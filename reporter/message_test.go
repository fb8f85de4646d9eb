package reporter

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gocasebook/casebook/casefile"
)

func TestMessageIsBounded(t *testing.T) {
	r := hugeReport()
	m := NewMessage(r)
	data, err := m.encode()
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > 128<<10 {
		t.Errorf("%d bytes of JSON, want 128 KiB at most", len(data))
	}
	if len(m.Labels) != maxLabels || len(m.Also) != maxAlso || len(m.Findings) != maxFindings {
		t.Errorf("%d labels, %d rules, %d findings", len(m.Labels), len(m.Also), len(m.Findings))
	}
	if !json.Valid(data) {
		t.Error("it is not JSON")
	}
	for _, bad := range []string{"pass", "secret", `\n`, `\u0000`} {
		if strings.Contains(string(data), bad) {
			t.Errorf("the message has %q in it", bad)
		}
	}
}

// JSON has no NaN. A case with one is reported nevertheless.
func TestMessageOfOddCases(t *testing.T) {
	odd := sample()
	odd.Trigger.Value, odd.Findings[0].Confidence, odd.Trigger.Text = math.NaN(), math.Inf(1), "bad \xff utf8"
	for name, c := range map[string]casefile.Case{"NaN": odd, "empty": {}} {
		data, err := NewMessage(Report{Case: c}).encode()
		if err != nil || !utf8.Valid(data) {
			t.Errorf("%s: %v\n%s", name, err, data)
		}
		if !strings.Contains(string(data), `"findings":[`) {
			t.Errorf("%s: findings is no list:\n%s", name, data)
		}
	}
}

func TestWorstFinding(t *testing.T) {
	f := func(score int, causedBy ...string) casefile.Finding {
		return casefile.Finding{Score: score, CausedBy: causedBy}
	}
	for _, tt := range []struct {
		name string
		in   []casefile.Finding
		want int
	}{
		{"none", nil, -1},
		{"the highest", []casefile.Finding{f(10), f(30), f(20)}, 1},
		{"the earliest of equals", []casefile.Finding{f(30), f(30)}, 0},
		{"the cause, not its symptom", []casefile.Finding{f(90, "A"), f(50), f(80, "A")}, 1},
		{"symptoms alone", []casefile.Finding{f(50, "A"), f(60, "A")}, 1},
	} {
		if got := worstOf(tt.in); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestReportNames(t *testing.T) {
	r := Report{Case: sample()}
	if m := NewMessage(r); m.Service != "phones" || m.Labels["zone"] != "b" {
		t.Errorf("service %q, labels %v; want the target's", m.Service, m.Labels)
	}
	r.Service, r.Labels = "shop", map[string]string{"zone": "c"}
	if m := NewMessage(r); m.Service != "shop" || m.Labels["zone"] != "c" {
		t.Errorf("service %q, labels %v; want the report's", m.Service, m.Labels)
	}
}

func TestPlain(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"", ""},
		{"a  b\r\n\tc\x00\u2028d", "a b c d"},
		{"0123456789", "0123456789"},
		{"01234567890", "012345678…"},
		{"éééééééééé", "éééééééééé"},
		{"ééééééééééé", "ééééééééé…"},
		{"\xff", "\uFFFD"},
		{strings.Repeat("x", 1<<20), "xxxxxxxxx…"},
	} {
		if got := plain(tt.in, 10); got != tt.want {
			t.Errorf("plain(%.20q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"/var/lib/x-1": "/var/lib/x-1", "": "''", "a b": "'a b'", "it's": `'it'\''s'`, "$(rm)": "'$(rm)'",
		"a;b": "'a;b'", "~x": "'~x'",
	} {
		if got := quote(in); got != want {
			t.Errorf("quote(%q) = %s, want %s", in, got, want)
		}
	}
}
