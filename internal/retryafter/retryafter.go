// Package retryafter reads the header with which an HTTP server says when to ask again.
package retryafter

import (
	"net/http"
	"strings"
	"time"
)

// Max bounds what a server can ask for, so that no number of its overflows.
const Max = 24 * time.Hour

// Parse reads a Retry-After (RFC 9110, section 10.2.3): seconds, or a date, which counts from now. The
// result is from 0 to Max; a date that has passed is 0. What is neither is not ok.
func Parse(value string, now time.Time) (after time.Duration, ok bool) {
	value = strings.Trim(value, " \t")
	if seconds, ok := parseDigits(value); ok {
		return min(time.Duration(seconds)*time.Second, Max), true
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	return min(max(date.Sub(now), 0), Max), true
}

// parseDigits reads a number of digits alone. One that is too large for any use is the largest.
func parseDigits(s string) (n int64, ok bool) {
	const most = int64(Max / time.Second)
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = min(n*10+int64(s[i]-'0'), most)
	}
	return n, s != ""
}

// Of is what an answer's Retry-After asks for. A date in it is compared with the server's own clock where the
// answer tells it.
func Of(h http.Header, now time.Time) time.Duration {
	if server, err := http.ParseTime(h.Get("Date")); err == nil {
		now = server
	}
	after, _ := Parse(h.Get("Retry-After"), now)
	return after
}
