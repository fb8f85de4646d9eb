// Package cpu_regexp picks the failed requests out of log lines.
//
// The fault: every line is matched against an expression with captures, though one in fifty has failed.
package cpu_regexp

import (
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/lab/faults"
)

var failed = regexp.MustCompile(`request (\d+) failed after (\d+) ms: (.*)$`)

// A Sieve has lines.
type Sieve struct {
	lines []string
	pick  func(line string) bool
}

func newSieve(n int, pick func(string) bool) *Sieve {
	s := &Sieve{pick: pick}
	for i := range n {
		line := "2026-11-21T10:00:00Z worker-7 request " + strconv.Itoa(i) + " answered in " + strconv.Itoa(i%90) +
			" ms"
		if i%50 == 0 {
			line = "2026-11-21T10:00:00Z worker-7 request " + strconv.Itoa(i) + " failed after " + strconv.Itoa(i%90) +
				" ms: no route"
		}
		s.lines = append(s.lines, line)
	}
	return s
}

// ServeHTTP answers how many failed.
func (s *Sieve) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	n := 0
	for _, l := range s.lines {
		if s.pick(l) {
			n++
		}
	}
	io.WriteString(w, strconv.Itoa(n))
}

func match(line string) bool {
	m := failed.FindStringSubmatch(line)
	return m != nil && m[3] != ""
}

func checkFirst(line string) bool {
	return strings.Contains(line, " failed after ") && match(line)
}

func service(n int, pick func(string) bool, perSecond float64) faults.Service {
	return faults.Service{Handler: newSieve(n, pick), Load: []faults.Call{{Path: "/failed", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "cpu-regexp", Text: "every log line is matched with captures, though few can match",
		Culprit:  "cpu_regexp.match",
		Faulty:   func() faults.Service { return service(700, match, 900) },
		Repaired: func() faults.Service { return service(700, checkFirst, 900) },
		Limit:    func() faults.Service { return service(290, match, 900) },
	}
}
