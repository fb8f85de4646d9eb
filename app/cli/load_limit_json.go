package cli

import (
	"math"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/load/limit"
)

// A limitJSON is a search as it is kept and printed. docs/load-json.md says what its fields are.
type limitJSON struct {
	Schema     int        `json:"schema"`
	Kind       string     `json:"kind"`
	Plan       load.Plan  `json:"plan"`
	Objective  string     `json:"objective"`
	Resolution float64    `json:"resolution"`
	Warmup     float64    `json:"warmup"`
	Best       float64    `json:"best"`
	Fails      float64    `json:"fails"`
	Why        string     `json:"why,omitempty"`
	Steps      []stepJSON `json:"steps"`
}

type stepJSON struct {
	Rate       float64            `json:"rate"`
	Phase      string             `json:"phase"`
	Seconds    float64            `json:"seconds"`
	Sent       uint64             `json:"sent"`
	OK         uint64             `json:"ok"`
	Throughput float64            `json:"throughput"`
	Errors     load.Errors        `json:"errors"`
	Values     map[string]float64 `json:"values"`
	Kept       bool               `json:"kept"`
	Broken     string             `json:"broken,omitempty"`
	Limited    string             `json:"limited,omitempty"`
}

func newLimitJSON(f *limitFlags, job *loadJob, cfg limit.Config, r limit.Report) limitJSON {
	l := limitJSON{Schema: load.FileSchema, Kind: "casebook-load-limit", Plan: job.plan,
		Objective: cfg.Objective.String(), Resolution: cfg.Resolution,
		Warmup: f.warmup.Seconds(), Best: r.Best, Fails: r.Fails, Why: r.Why, Steps: []stepJSON{}}
	l.Plan.Pace, l.Plan.Seconds = "", cfg.Step.Seconds()
	for _, s := range r.Steps {
		c := s.Figures.Counts
		step := stepJSON{Rate: s.Rate, Phase: s.Phase, Seconds: c.Seconds, Sent: c.Sent, OK: c.OK,
			Throughput: c.Throughput(), Errors: c.Errors,
			Values: make(map[string]float64), Kept: s.Kept, Broken: s.Text, Limited: s.Figures.Limited}
		for i, cond := range cfg.Objective {
			if v := s.Values[i]; !math.IsNaN(v) { // which JSON does not have
				step.Values[cond.Name] = v
			}
		}
		l.Steps = append(l.Steps, step)
	}
	return l
}
