// Package replay makes the targets of a load from requests that a service got.
//
// The problem: a proof is worth what its load is worth, and a load that somebody made up requests what he had in mind.
// What a service is really asked for stands in the access log of the service or of the proxy before it, in the HAR file
// of a browser, or in the sample that package middleware takes.
//
// The approach: Read recognises each by its content, line by line, and draws an even sample of all requests in one pass
// (reservoir sampling), so that a log of any size takes the memory of the sample. Secrets are taken out before anything
// is kept: headers, parameters, and fields of bodies by their names, tokens by their form.
//
// The limits: an access log has neither headers nor bodies, so that requests with a body are left out of it, and said to
// be. What is secret without looking so (a name, an address in a path) stays. The answers are not compared.
package replay

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"
)

// A Request is one that a service got.
type Request struct {
	Time   time.Time // zero if not known
	Method string
	URL    string // path and query
	Host   string // "" if not known
	Header http.Header
	Body   []byte
	// Bodiless says that the source has no bodies, so that a request which needs one cannot be repeated.
	Bodiless bool
}

// Options say what is kept.
type Options struct {
	Most    int      // requests that are kept: an even sample of all; 0 means DefaultMost
	Methods []string // that are kept; none: all that can be repeated
	Hosts   []string // likewise
	Prefix  string   // of the path; "": any
	Headers []string // that are kept although they may hold secrets
	Seed    uint64   // of the sample
}

// DefaultMost is how many requests are kept by default: more kinds of requests than most services have.
const DefaultMost = 10_000

// A Result is what was read.
type Result struct {
	Requests []Request      // in the order in which they were read
	Arrivals []time.Time    // of all that could be kept, if each has a time and they are not too many
	Seen     int            // requests that could be kept
	Left     map[string]int // requests and lines that were left out, by reason
	Redacted map[string]int // what was taken out: "header Cookie", "parameter", "field of a body"
	From, To time.Time      // the first and the last
	Peak     int            // requests in the busiest minute
	PeakAt   time.Time      // when that began
}

// Rate is the mean rate in requests per second; 0 if it is not known.
func (r *Result) Rate() float64 {
	if span := r.To.Sub(r.From).Seconds(); span > 0 {
		return float64(r.Seen) / span
	}
	return 0
}

// Whole reports whether the result has every request.
func (r *Result) Whole() bool { return len(r.Requests) == r.Seen }

// maxBodies bounds what the bodies take together.
const maxBodies = 256 << 20

// maxArrivals bounds the times that are kept: a day of 10 requests a second.
const maxArrivals = 1_000_000

// A sampler takes requests in.
type sampler struct {
	Options
	Result
	random  *rand.Rand
	order   []int // parallel to Requests: which one it was
	minutes map[int64]int
	timed   bool
	bodies  int // bytes, of Requests
}

// Read reads requests from sources, one after the other. An error names the source.
func Read(o Options, sources ...Source) (*Result, error) {
	s := &sampler{Options: o, random: rand.New(rand.NewPCG(o.Seed, 0)), minutes: make(map[int64]int), timed: true}
	s.Most = cmp.Or(o.Most, DefaultMost)
	s.Left, s.Redacted = make(map[string]int), make(map[string]int)
	for _, source := range sources {
		if err := read(source.Reader, s); err != nil {
			return nil, fmt.Errorf("%s: %w", source.Name, err)
		}
	}
	if s.Seen == 0 {
		return nil, s.nothing()
	}
	s.inOrder()
	s.busiest()
	return &s.Result, nil
}

// A Source is a file of requests.
type Source struct {
	Name   string
	Reader io.Reader
}

// nothing is the error of sources without a request.
func (s *sampler) nothing() error {
	for _, why := range slices.Sorted(maps.Keys(s.Left)) {
		return fmt.Errorf("no request can be repeated: %s (%d); want an access log, a HAR file, or a sample of "+
			"middleware.Sample", why, s.Left[why])
	}
	return fmt.Errorf("there are no requests in it; want an access log, a HAR file, or a sample of middleware.Sample")
}

// add takes a request in, or notes why not.
func (s *sampler) add(r Request) {
	if why := s.refuse(&r); why != "" {
		s.Left[why]++
		return
	}
	s.redact(&r)
	if s.bodies += len(r.Body); s.bodies > maxBodies {
		s.bodies -= len(r.Body)
		s.Left["beyond what bodies may take together, 256 MiB"]++
		return
	}
	s.note(r.Time)
	at := s.Seen
	s.Seen++
	if len(s.Requests) < s.Most {
		s.Requests, s.order = append(s.Requests, r), append(s.order, at)
		return
	}
	if i := s.random.IntN(s.Seen); i < s.Most { // algorithm R (Vitter 1985)
		s.bodies -= len(s.Requests[i].Body)
		s.Requests[i], s.order[i] = r, at
		return
	}
	s.bodies -= len(r.Body)
}

// refuse says why a request is not kept.
func (s *sampler) refuse(r *Request) string {
	switch {
	case len(s.Methods) > 0 && !slices.Contains(s.Methods, r.Method):
		return "another method"
	case len(s.Hosts) > 0 && !slices.Contains(s.Hosts, r.Host):
		return "another host"
	case s.Prefix != "" && !hasPath(r.URL, s.Prefix):
		return "another path"
	case r.Method == http.MethodConnect || r.URL == "*" || r.URL == "":
		return "no path"
	case r.Bodiless && len(s.Methods) == 0 && r.Method != http.MethodGet && r.Method != http.MethodHead &&
		r.Method != http.MethodOptions && r.Method != http.MethodDelete:
		return r.Method + " without its body"
	case r.Method == http.MethodDelete && len(s.Methods) == 0:
		return "DELETE, which is kept only if --method names it"
	}
	return ""
}

// note keeps a request's time.
func (s *sampler) note(t time.Time) {
	if t.IsZero() || !s.timed {
		s.timed, s.Arrivals = false, nil
		return
	}
	if s.From.IsZero() || t.Before(s.From) {
		s.From = t
	}
	if t.After(s.To) {
		s.To = t
	}
	s.minutes[t.Unix()/60]++
	if s.Seen < maxArrivals {
		s.Arrivals = append(s.Arrivals, t)
	} else {
		s.Arrivals = nil
	}
}

// inOrder puts the sample back into the order in which it came.
func (s *sampler) inOrder() {
	index := make([]int, len(s.order))
	for i := range index {
		index[i] = i
	}
	slices.SortFunc(index, func(a, b int) int { return cmp.Compare(s.order[a], s.order[b]) })
	sorted := make([]Request, len(index))
	for i, j := range index {
		sorted[i] = s.Requests[j]
	}
	s.Requests = sorted
}

func (s *sampler) busiest() {
	for minute, n := range s.minutes {
		if at := time.Unix(minute*60, 0).UTC(); n > s.Peak || n == s.Peak && at.Before(s.PeakAt) {
			s.Peak, s.PeakAt = n, at
		}
	}
}

// Write writes the requests as targets of a load: JSON lines (package targets).
func Write(w io.Writer, requests []Request) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for i := range requests {
		r := &requests[i]
		if err := enc.Encode(struct {
			Method string      `json:"method"`
			URL    string      `json:"url"`
			Header http.Header `json:"header,omitempty"`
			Body   []byte      `json:"body,omitempty"`
		}{r.Method, r.URL, r.Header, r.Body}); err != nil {
			return err
		}
	}
	return nil
}

// WriteArrivals writes times, a line each, as the pace "replay FILE" reads them.
func WriteArrivals(w io.Writer, times []time.Time) error {
	times = slices.Clone(times)
	slices.SortStableFunc(times, time.Time.Compare) // servers write a line when they have answered
	for _, t := range times {
		if _, err := fmt.Fprintln(w, t.UTC().Format(time.RFC3339Nano)); err != nil {
			return err
		}
	}
	return nil
}
