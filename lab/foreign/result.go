package foreign

import (
	"fmt"
	"math"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/lab/trial"
)

// A Result is what came of one service, as it is kept and shown.
type Result struct {
	Name     string   `json:"name"`
	Program  string   `json:"program"`
	Version  string   `json:"version"`
	Done     string   `json:"done"`
	Healthy  bool     `json:"healthy,omitempty"`
	OK       bool     `json:"ok"`
	Certain  float64  `json:"certain_s,omitempty"` // seconds after the load began
	Tripped  []string `json:"tripped,omitempty"`   // rules, with the second
	OnTime   bool     `json:"on_time,omitempty"`
	Place    bool     `json:"place,omitempty"`
	Remedy   bool     `json:"remedy,omitempty"`
	Findings []string `json:"findings,omitempty"` // of the first case; of a healthy one, of the capture at the end
	Requests uint64   `json:"requests"`
	Failed   uint64   `json:"failed"`
	Moved    []string `json:"moved,omitempty"` // first and largest of a few signals
	Error    string   `json:"error,omitempty"`
}

// NewResult is what came of a service.
func NewResult(s *Service, p Program, j trial.Judgement, c trial.Course) Result {
	r := Result{Name: s.Name, Program: s.Program, Version: p.Version, Done: s.Done, Healthy: s.Healthy, OK: j.OK(),
		Certain: j.Certain.Seconds(),
		OnTime:  j.OnTime, Place: j.Place, Remedy: j.Remedy, Error: j.Err}
	for _, t := range c.Trips {
		r.Tripped = append(r.Tripped, t.String())
	}
	d := c.End
	if j.Trip != nil {
		d = j.Trip.Diagnosis
	} else if d == nil && len(c.Trips) > 0 {
		d = c.Trips[0].Diagnosis
	}
	if d != nil {
		for _, f := range d.Findings {
			r.Findings = append(r.Findings, describe(f))
		}
	}
	for _, l := range c.Load {
		r.Requests += l.Sent
		r.Failed += l.Errors.Total()
	}
	r.Moved = moved(c.Signals)
	return r
}

// moved says how far a few signals went.
func moved(samples []map[string]float64) (all []string) {
	for _, name := range []string{"goroutines", "heap_live", "cpu", "gc_cpu", "open_files"} {
		first, largest := math.NaN(), 0.0
		for _, s := range samples {
			v, ok := s[name]
			if !ok {
				continue
			}
			if math.IsNaN(first) {
				first = v
			}
			largest = max(largest, v)
		}
		if !math.IsNaN(first) {
			all = append(all, fmt.Sprintf("%s %.3g to %.3g", name, first, largest))
		}
	}
	return all
}

// describe is a finding in a line.
func describe(f casefile.Finding) string {
	text := fmt.Sprintf("%s %d", f.Kind, f.Score)
	if len(f.Where) > 0 {
		text += " at " + f.Where[0].Function
	}
	if len(f.Remedies) > 0 {
		text += ": " + f.Remedies[0].Title
	}
	return text
}

// Words are lines for people.
func (r Result) Words() []string {
	verdict := "FAIL"
	if r.OK {
		verdict = "ok  "
	}
	all := []string{fmt.Sprintf("%s  %s (%s %s)", verdict, r.Name, r.Program, r.Version)}
	if !r.Healthy {
		all = append(all, fmt.Sprintf("certain at %.0f s; on time %v, place %v, remedy %v", r.Certain, r.OnTime,
			r.Place, r.Remedy))
	}
	all = append(all, fmt.Sprintf("%d requests, %d failed; %v", r.Requests, r.Failed, r.Moved),
		fmt.Sprintf("tripped: %v", r.Tripped))
	for _, f := range r.Findings {
		all = append(all, "said: "+f)
	}
	if r.Error != "" {
		all = append(all, "error: "+r.Error)
	}
	return all
}
