package ask

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/gocasebook/casebook/internal/redirect"
	"github.com/gocasebook/casebook/internal/retryafter"
)

// maxRefusal bounds what is read of an answer that is an error.
const maxRefusal = 16 << 10

// A refusal is an answer that is an error.
type refusal struct {
	text  string
	later bool          // the same question may be answered later
	after time.Duration // which the endpoint asks to wait
	code  string        // of OpenAI: "unsupported_parameter"
	param string        // which
}

func (r *refusal) Error() string { return r.text }

// A said is the error of an answer, in the forms of both protocols.
type said struct {
	Type    string `json:"type"`
	Message string `json:"message"`
	Code    any    `json:"code"` // a text with OpenAI, a number with some of those that speak its protocol
	Param   string `json:"param"`
}

// errorIn is the error that a body holds; nil without one. It may come with a status of 200: in a stream that began
// well.
func errorIn(raw json.RawMessage) error {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	s := saidIn(raw)
	return &refusal{text: "the endpoint broke off: " + s.words(), later: s.later()}
}

// saidIn reads an error: an object, or a text alone.
func saidIn(raw json.RawMessage) (s said) {
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	s = said{}
	if json.Unmarshal(raw, &s.Message) != nil {
		s.Message = string(raw)
	}
	return s
}

// later reports whether an endpoint of Anthropic's protocol says so by the type of its error.
func (s *said) later() bool { return s.Type == "overloaded_error" || s.Type == "rate_limit_error" }

func (s *said) words() string {
	switch {
	case s.Message != "":
		return short(s.Message)
	case s.Type != "":
		return short(s.Type)
	}
	return "(without a word)"
}

// refused is the error of an answer whose status is not 200.
func (x *exchange) refused(resp *http.Response) error {
	to := x.agent.To()
	if elsewhere := redirect.Elsewhere(resp); elsewhere != "" {
		return fmt.Errorf("%s sends us to %s, which is not asked: if that is right, make it the url", to,
			short(elsewhere))
	}
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxRefusal)) // what came of it is quoted
	s := refusalIn(body)
	r := &refusal{
		text:  fmt.Sprintf("%s answered %s: %s%s", to, status(resp.StatusCode), s.words(), x.hint(resp.StatusCode)),
		later: isLater(resp.StatusCode),
		after: retryafter.Of(resp.Header, time.Now()),
		param: s.Param,
	}
	r.code, _ = s.Code.(string)
	return r
}

func refusalIn(body []byte) said {
	var b struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
	}
	if json.Unmarshal(body, &b) == nil {
		if len(b.Error) > 0 {
			return saidIn(b.Error)
		}
		if b.Message != "" {
			return said{Message: b.Message}
		}
	}
	return said{Message: string(body)}
}

// isLater reports whether a status says that the same question may be answered later. 529 is Anthropic's for
// "overloaded".
func isLater(status int) bool {
	switch status {
	case http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway,
		http.StatusServiceUnavailable, http.StatusGatewayTimeout, 529:
		return true
	}
	return false
}

func status(code int) string {
	if text := http.StatusText(code); text != "" {
		return fmt.Sprintf("%d %s", code, text)
	}
	return fmt.Sprint(code)
}

// hint says what to look at.
func (x *exchange) hint(status int) string {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		if x.agent.KeyEnv == "" {
			return "; no key is configured (key-env)"
		}
		return "; is the key in " + x.agent.KeyEnv + " good for it?"
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return "; are url, protocol and model right?"
	case http.StatusRequestEntityTooLarge:
		return "; ask with a brief of fewer tokens"
	}
	return ""
}
