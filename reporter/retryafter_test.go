package reporter

import (
	"net/http"
	"testing"
	"time"
)

func TestRetryAfter(t *testing.T) {
	now := opened
	for _, tt := range []struct {
		value string
		want  time.Duration
		ok    bool
	}{
		{"0", 0, true},
		{"120", 2 * time.Minute, true},
		{" 7\t", 7 * time.Second, true},
		{now.Add(90 * time.Second).Format(http.TimeFormat), 90 * time.Second, true},
		{now.Add(90 * time.Second).Format(time.RFC850), 90 * time.Second, true},
		{now.Add(90 * time.Second).Format(time.ANSIC), 90 * time.Second, true},
		{now.Add(-time.Hour).Format(http.TimeFormat), 0, true},
		{now.AddDate(500, 0, 0).Format(http.TimeFormat), maxAfter, true},
		{"99999999999999999999999999", maxAfter, true},
		{"9223372036854775808", maxAfter, true},
		{"", 0, false}, {"-1", 0, false}, {"+1", 0, false}, {"1.5", 0, false}, {"1e3", 0, false}, {"soon", 0, false},
		{"٣", 0, false},
	} {
		got, ok := parseRetryAfter(tt.value, now)
		if got != tt.want || ok != tt.ok {
			t.Errorf("parseRetryAfter(%q) = %s, %t, want %s, %t", tt.value, got, ok, tt.want, tt.ok)
		}
	}
}

// A date in Retry-After is compared with the server's clock, not with ours.
func TestRetryAfterOfAnotherClock(t *testing.T) {
	server := opened.Add(3 * time.Hour)
	h := http.Header{"Date": {server.Format(http.TimeFormat)},
		"Retry-After": {server.Add(time.Minute).Format(http.TimeFormat)}}
	if got := askedFor(h, opened); got != time.Minute {
		t.Errorf("asked for %s, want 1m", got)
	}
	h.Del("Date")
	if got, want := askedFor(h, opened), 3*time.Hour+time.Minute; got != want {
		t.Errorf("without the server's time: asked for %s, want %s", got, want)
	}
}

func FuzzRetryAfter(f *testing.F) {
	for _, s := range []string{"", "0", "120", "-1", "99999999999999999999", "Sat, 21 Nov 2026 13:25:12 GMT",
		"Saturday, 21-Nov-26 13:25:12 GMT", "Sat Nov 21 13:25:12 2026"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, value string) {
		got, ok := parseRetryAfter(value, opened)
		if got < 0 || got > maxAfter || !ok && got != 0 {
			t.Errorf("parseRetryAfter(%q) = %s, %t", value, got, ok)
		}
	})
}

func TestPause(t *testing.T) {
	p := Retry{First: time.Second, Max: 10 * time.Second}.withDefaults()
	for _, tt := range []struct {
		failures int
		after    time.Duration
		random   float64
		want     time.Duration
	}{
		{1, 0, 0, time.Second},
		{1, 0, 1, 500 * time.Millisecond},
		{2, 0, 0, 2 * time.Second},
		{4, 0, 0, 8 * time.Second},
		{5, 0, 0, 10 * time.Second},
		{1_000_000, 0, 0, 10 * time.Second},
		{1_000_000, 0, 1, 5 * time.Second},
		{1, 4 * time.Second, 0.5, 4250 * time.Millisecond},
		{4, time.Second, 1, 4 * time.Second},
		{1, time.Hour, 0.5, 10 * time.Second},
	} {
		if got := p.pause(tt.failures, tt.after, tt.random); got != tt.want {
			t.Errorf("pause(%d, %s, %g) = %s, want %s", tt.failures, tt.after, tt.random, got, tt.want)
		}
	}
}
