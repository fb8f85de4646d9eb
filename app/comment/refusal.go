package comment

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/gocasebook/casebook/internal/redirect"
)

// A laterError may be no more in a while: a limit on the rate, a broken connection, a server that is not well.
type laterError struct {
	text  string
	after time.Duration // that the server asks for; 0 if it does not say
}

func (e *laterError) Error() string { return e.text }

// refusal says what an answer refuses; nil if nothing.
func (t *Thread) refusal(resp *http.Response, body []byte) error {
	if resp.StatusCode < 300 {
		return nil
	}
	text := fmt.Sprintf("%s answers %s%s", t.forge.name, resp.Status, reason(body))
	if to := redirect.Elsewhere(resp); to != "" {
		return fmt.Errorf("%s, which points to %s", text, to)
	}
	after, limited := rateLimit(resp)
	switch code := resp.StatusCode; {
	case limited:
		return &laterError{fmt.Sprintf("%s: the limit on requests, until %s from now", text, after), after}
	case code >= 500:
		return &laterError{text: text}
	case code == http.StatusUnauthorized, code == http.StatusForbidden, code == http.StatusNotFound:
		return fmt.Errorf("%w: %s", ErrDenied, text) // what a token may not see does not exist
	}
	return fmt.Errorf("%s", text)
}

// rateLimit reads how long to wait. Both forges answer 429 or, GitHub's first limit, 403, with the seconds in
// Retry-After, or no requests left and the Unix time of the next in X-RateLimit-Reset (GitLab: RateLimit-Reset):
// https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
// https://docs.gitlab.com/security/rate_limits/
func rateLimit(resp *http.Response) (after time.Duration, limited bool) {
	h := resp.Header
	left := h.Get("X-RateLimit-Remaining") == "0" || h.Get("RateLimit-Remaining") == "0"
	seconds, err := strconv.Atoi(h.Get("Retry-After"))
	switch asked := err == nil; {
	case resp.StatusCode != http.StatusForbidden && resp.StatusCode != http.StatusTooManyRequests,
		resp.StatusCode == http.StatusForbidden && !asked && !left:
		return 0, false
	case asked:
		return time.Duration(max(seconds, 0)) * time.Second, true
	}
	for _, name := range []string{"X-RateLimit-Reset", "RateLimit-Reset"} {
		if at, err := strconv.ParseInt(h.Get(name), 10, 64); err == nil {
			return max(time.Until(time.Unix(at, 0)).Round(time.Second), 0), true
		}
	}
	return 0, true
}

// reason is the message of an answer; "" without one. It is the server's text: the caller prints it through a writer
// that takes control characters out.
func reason(body []byte) string {
	var said struct {
		Message json.RawMessage `json:"message"`
	}
	if json.Unmarshal(body, &said) != nil || len(said.Message) == 0 {
		return ""
	}
	const most = 200
	return fmt.Sprintf(": %.*s", most, said.Message)
}
