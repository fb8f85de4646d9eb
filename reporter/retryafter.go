package reporter

import (
	"net/http"
	"strings"
	"time"
)

// maxAfter bounds what a Retry-After can ask for before Retry.Max does, so that no server's number overflows.
const maxAfter = 24 * time.Hour

// parseRetryAfter reads a Retry-After (RFC 9110, section 10.2.3): seconds, or a date, which counts from now. The
// result is from 0 to maxAfter; a date that has passed is 0. What is neither is not ok.
func parseRetryAfter(value string, now time.Time) (after time.Duration, ok bool) {
	value = strings.Trim(value, " \t")
	if seconds, ok := parseDigits(value); ok {
		return min(time.Duration(seconds)*time.Second, maxAfter), true
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	return min(max(date.Sub(now), 0), maxAfter), true
}

// parseDigits reads a number of digits alone. One that is too large for any use is the largest.
func parseDigits(s string) (n int64, ok bool) {
	const most = int64(maxAfter / time.Second)
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = min(n*10+int64(s[i]-'0'), most)
	}
	return n, s != ""
}

// askedFor is what an answer's Retry-After asks for. A date in it is compared with the server's own clock where the
// answer tells it.
func askedFor(h http.Header, now time.Time) time.Duration {
	if server, err := http.ParseTime(h.Get("Date")); err == nil {
		now = server
	}
	after, _ := parseRetryAfter(h.Get("Retry-After"), now)
	return after
}
