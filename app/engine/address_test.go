package engine

import (
	"strings"
	"testing"
	"time"
)

func TestParseAddress(t *testing.T) {
	for _, c := range []struct{ text, base, shown string }{
		{"pyroscope://p:4040?service=shop", "http://p:4040", "pyroscope://p:4040?service=shop"},
		{"PYROSCOPE://p:4040/?service=shop", "http://p:4040", "pyroscope://p:4040?service=shop"},
		{"parca+https://parca.internal/x/?service=shop&version=1.4.2&since=1m", "https://parca.internal/x",
			"parca+https://parca.internal/x?service=shop&version=1.4.2"},
		{"prometheus://user:s3cret@p:9090/prometheus?service=shop&tenant=t&label=pod=shop-1&label=zone=a%2Cb",
			"http://user:s3cret@p:9090/prometheus",
			"prometheus://p:9090/prometheus?label=pod%3Dshop-1&label=zone%3Da%2Cb&service=shop#tenant-e3b98a4d"},
	} {
		a, err := ParseAddress(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if a.Base.String() != c.base || a.String() != c.shown {
			t.Errorf("%s is %s, shown as %s; want %s and %s", c.text, a.Base, a, c.base, c.shown)
		}
		if again, err := ParseAddress(a.String()); err != nil || again.Service != a.Service ||
			len(again.Labels) != len(a.Labels) {
			t.Errorf("what is shown, %s, cannot be typed again: %v", a, err)
		}
	}
	for text, want := range map[string]string{
		"pyroscope://p:4040":                                  "names no service",
		"pyroscope://?service=shop":                           "names no engine and host",
		"http://p:4040?service=shop":                          "names no engine and host",
		"pyroscope://p?servise=shop":                          "did you mean service?",
		"pyroscope://p?service=shop&service=cart":             "there twice",
		"pyroscope://p?service=shop&since=2h":                 "from 30s to 1h0m0s",
		"pyroscope://p?service=shop&since=soon":               "not a duration",
		"pyroscope://p?service=shop&until=yesterday":          "not a time",
		"pyroscope://p?service=shop&nodes=-1":                 "not a number from",
		"pyroscope://p?service=shop&label=pod":                "not name=value",
		"pyroscope://p?service=shop&label=a-b=c":              "not name=value",
		"pyroscope://p?service=shop&service-label=a-b":        "not the name of a label",
		"pyroscope://p?service=" + strings.Repeat("x", 3000):  "must have 1 to 2048",
		"pyroscope://u:s3cret@p:4040?service=shop&tenant=":    "parameter tenant",
		"pyroscope://u:s3cret@p:4040?service=shop&x=s3cret":   `unknown parameter "x"`,
		"pyroscope://u:s3cret@p:4040?service=shop;a=%zz":      "no query of a URL",
		"pyroscope://u:s3cret@p:4040:x?service=s3cret":        "not an address",
		"pyroscope://p?since=2h&nodes=1&until=1&service=shop": "parameter nodes",
	} {
		_, err := ParseAddress(text)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%.80s: error %v; want %q in it, and no secret", text, err, want)
		}
	}
}

func TestWindow(t *testing.T) {
	now := time.Date(2026, 11, 27, 13, 0, 0, 0, time.UTC)
	a, err := ParseAddress("parca://p?service=shop&since=2m&until=2026-11-20T12:00:00Z")
	if err != nil {
		t.Fatal(err)
	}
	if got := a.window(now).String(); got != "2026-11-20 11:58:00 to 12:00:00 UTC" {
		t.Errorf("the window is %s", got)
	}
	a.Until = time.Time{}
	if w := a.window(now); !w.to.Equal(now) || w.length() != 2*time.Minute {
		t.Errorf("without an end the window is %s", w)
	}
}

func TestSelector(t *testing.T) {
	for want, s := range map[string]selector{
		`{}`:            nil,
		`{a="b",c="d"}`: {"c": "d", "a": "b"},
		`{a="\"}\\\n"}`: {"a": "\"}\\\n"},
	} {
		if s.String() != want {
			t.Errorf("%v is %s, want %s", map[string]string(s), s, want)
		}
	}
}

func FuzzParseAddress(f *testing.F) {
	f.Add("pyroscope://u:p@host:4040/x?service=shop&version=1&label=a=b&since=1m&until=2026-11-20T12:00:00Z&nodes=999")
	f.Add("prometheus+https://[::1]:9090?service=%22%7D&tenant=x")
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseAddress(text)
		if err != nil {
			return
		}
		shown := a.String()
		again, err := ParseAddress(shown)
		if err != nil || again.String() != shown {
			t.Errorf("%q is shown as %q, which is %v (%v)", text, shown, again, err)
		}
		if s := (selector{"service": a.Service}).String(); strings.Count(s, "\n") > 0 {
			t.Errorf("the selector %q has two lines", s)
		}
	})
}
