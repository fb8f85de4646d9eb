package reporter

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gocasebook/casebook/internal/retryafter"
)

// maxAnswer bounds what is read of an answer, bytes.
const maxAnswer = 4 << 10

// A refusal is an answer that is no success.
type refusal struct {
	code int
	text string
}

func (r *refusal) Error() string { return r.text }

// do sends a request and judges the answer by its status alone; accept says which means success. An error is an
// *Error, safe to show.
func (e *endpoint) do(ctx context.Context, req *http.Request, accept func(code int) bool) error {
	_, err := e.ask(ctx, req, accept)
	return err
}

// ask is do for who wants to know what a success says. Of its answer, status and header count.
func (e *endpoint) ask(ctx context.Context, req *http.Request, accept func(code int) bool) (*http.Response, error) {
	maps.Copy(req.Header, e.header)
	req.Header.Set("User-Agent", "casebook")
	resp, err := e.client.Do(req.WithContext(ctx))
	if err != nil {
		return nil, e.unreachable(ctx, err)
	}
	defer resp.Body.Close()
	if accept(resp.StatusCode) {
		return resp, nil
	}
	return nil, &Error{
		Err:   &refusal{resp.StatusCode, e.describe(resp)},
		Final: finalStatus(resp.StatusCode), After: retryafter.Of(resp.Header, time.Now()),
	}
}

// finalStatus reports whether the same request would be answered the same again. Not so: 408 (too slow), 425 (too
// early), 429 (too many), and 5xx, the server's own troubles.
func finalStatus(code int) bool {
	switch code {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return false
	}
	return code >= 300 && code < 500
}

// describe says what the server answered, with what a person can do about it.
func (e *endpoint) describe(resp *http.Response) string {
	text := fmt.Sprintf("%s answered %d", address(e.url), resp.StatusCode)
	if name := http.StatusText(resp.StatusCode); name != "" {
		text += " " + name
	}
	if said := e.excerpt(resp); said != "" {
		text += ": " + said
	}
	switch code := resp.StatusCode; {
	case code >= 300 && code < 400:
		text += "; this redirect is not followed: set the URL to the new address" + movedTo(resp)
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		text += "; check the token or the headers"
	case code == http.StatusNotFound, code == http.StatusGone, code == http.StatusMethodNotAllowed:
		text += "; check the URL"
	case code == http.StatusRequestEntityTooLarge:
		text += "; the server takes no report of this size"
	}
	return text
}

// movedTo names the server of a redirect.
func movedTo(resp *http.Response) string {
	u, err := resp.Location()
	if err != nil || u.Host == "" {
		return ""
	}
	return " (" + plain(address(u), 100) + ")"
}

// excerpt is the beginning of an answer in words; of other types, such as an HTML page, nothing.
func (e *endpoint) excerpt(resp *http.Response) string {
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if kind != "text/plain" && kind != "application/json" && kind != "application/problem+json" {
		return ""
	}
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxAnswer)) // what came before an error is still reported
	return e.secrets.clean(string(body))
}

// unreachable words the failure of a request that got no answer. The cause stays out of the chain, for a *url.Error
// prints the URL.
func (e *endpoint) unreachable(ctx context.Context, err error) error {
	switch where := address(e.url); {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		err = fmt.Errorf("%s did not answer in time: %w", where, ctx.Err())
	case ctx.Err() != nil:
		err = fmt.Errorf("%s had not answered when the watch ended: %w", where, ctx.Err())
	default:
		err = fmt.Errorf("cannot reach %s: %s", where, e.secrets.clean(reason(err)))
	}
	return &Error{Err: err}
}

// reason is the text of err without the URL of the request or of a proxy.
func reason(err error) string {
	var at *url.Error
	for errors.As(err, &at) {
		err = at.Err
	}
	if text := err.Error(); !strings.Contains(text, "://") && !strings.Contains(text, "proxy address") {
		return text
	}
	return "an error whose text has an address in it; withheld (check HTTP_PROXY and HTTPS_PROXY)"
}
