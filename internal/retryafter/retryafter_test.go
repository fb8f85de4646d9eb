package retryafter

import (
	"net/http"
	"testing"
	"time"
)

var opened = time.Date(2026, 11, 21, 13, 25, 12, 0, time.UTC)

func TestParse(t *testing.T) {
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
		{now.AddDate(500, 0, 0).Format(http.TimeFormat), Max, true},
		{"99999999999999999999999999", Max, true},
		{"9223372036854775808", Max, true},
		{"", 0, false}, {"-1", 0, false}, {"+1", 0, false}, {"1.5", 0, false}, {"1e3", 0, false}, {"soon", 0, false},
		{"٣", 0, false},
	} {
		got, ok := Parse(tt.value, now)
		if got != tt.want || ok != tt.ok {
			t.Errorf("Parse(%q) = %s, %t, want %s, %t", tt.value, got, ok, tt.want, tt.ok)
		}
	}
}

// A date in Retry-After is compared with the server's clock, not with ours.
func TestOfAnotherClock(t *testing.T) {
	server := opened.Add(3 * time.Hour)
	h := http.Header{"Date": {server.Format(http.TimeFormat)},
		"Retry-After": {server.Add(time.Minute).Format(http.TimeFormat)}}
	if got := Of(h, opened); got != time.Minute {
		t.Errorf("asked for %s, want 1m", got)
	}
	h.Del("Date")
	if got, want := Of(h, opened), 3*time.Hour+time.Minute; got != want {
		t.Errorf("without the server's time: asked for %s, want %s", got, want)
	}
}

func FuzzRetryAfter(f *testing.F) {
	for _, s := range []string{"", "0", "120", "-1", "99999999999999999999", "Sat, 21 Nov 2026 13:25:12 GMT",
		"Saturday, 21-Nov-26 13:25:12 GMT", "Sat Nov 21 13:25:12 2026"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, value string) {
		got, ok := Parse(value, opened)
		if got < 0 || got > Max || !ok && got != 0 {
			t.Errorf("Parse(%q) = %s, %t", value, got, ok)
		}
	})
}
