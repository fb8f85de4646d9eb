// Package targets makes the requests of a load from a description of them.
//
// The problem: a load that requests one URL again and again measures a cache. Requests must differ as those of real
// callers do, and making them must cost little compared with sending them, because both share the machine with the
// target.
//
// The approach: a target is a method, a URL, headers and a body. Each may be a text/template over the request's number,
// random values and the row of a CSV file. Parse reads vegeta's two formats. Compile prepares a set of targets once:
// all requests share the constant parts, and a template that only calls the functions here becomes a list of pieces to
// append. That is about three times as fast as text/template, which runs all other templates (BenchmarkRequest). The
// random values of a request depend only on the seed and its number, so a run can be repeated.
//
// The limits: targets take turns; to give one more weight, name it several times. Bodies are held in memory.
package targets

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// Bounds on input.
const (
	maxTargets   = 1_000_000
	maxLine      = 16 << 20  // a JSON line with its body
	maxBody      = 64 << 20  // one file of a body
	maxAllBodies = 512 << 20 // all of them
)

// A Target describes one kind of request. URL, header values and body may be templates.
type Target struct {
	Method string
	URL    string // absolute, or a path below the base URL
	Header http.Header
	Body   []byte
	Line   int // its line in the file, for errors; 0 if it does not come from a file
}

// String returns the target as a person knows it, without a password.
func (t *Target) String() string {
	switch u, err := url.Parse(t.URL); {
	case err == nil && u.User == nil:
		return t.Method + " " + t.URL // as it was written: {{seq}} and not %7B%7Bseq%7D%7D
	case err == nil:
		return t.Method + " " + u.Redacted()
	}
	// A template may make no URL before it is rendered.
	scheme, rest, _ := strings.Cut(t.URL, "://")
	host, path, _ := strings.Cut(rest, "/")
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		return t.Method + " " + scheme + "://" + host[i+1:] + "/" + path
	}
	return t.Method + " " + t.URL
}

// at prefixes an error with the line of the target.
func (t *Target) at(err error) error {
	if err == nil || t.Line == 0 {
		return err
	}
	return fmt.Errorf("line %d: %w", t.Line, err)
}

// check reports errors in a target that can be found before anything is rendered.
func (t *Target) check(base string) error {
	if !token(t.Method) {
		return fmt.Errorf("%q is not a method: want one such as GET or POST", t.Method)
	}
	switch {
	case t.URL == "":
		return errors.New("it has no URL")
	case strings.HasPrefix(t.URL, "/") && base == "":
		return fmt.Errorf("the URL %s has no host: give the base URL as well as the file, for instance: casebook "+
			"load --targets FILE http://127.0.0.1:8080", t.URL)
	}
	for name := range t.Header {
		if !token(name) {
			return fmt.Errorf("%q is not the name of a header: want Name: value", name)
		}
	}
	return nil
}

// token says whether s may be a method or a header's name (RFC 9110 §5.6.2).
func token(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		alnum := r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		return !alnum && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
	})
}
