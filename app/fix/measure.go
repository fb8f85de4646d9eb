package fix

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/gate"
	"github.com/gocasebook/casebook/app/prove/trial"
)

// Gated measures with a gate: the benchmarks of the changed packages, or a service under load. A figure is better or
// worse when the gate is sure of it beyond the margin.
type Gated struct {
	Config   gate.Config // all but Dir, Against, Head, Limits and, of benchmarks, Packages
	Margin   float64     // a change below it is none; 0.02 for 2 %
	Progress io.Writer
}

// Measure is a Prover's.
func (g *Gated) Measure(ctx context.Context, dir, base, head string, packages []string) (*Measurement, error) {
	cfg := g.Config
	cfg.Dir, cfg.Against, cfg.Head, cfg.Progress = dir, base, head, g.Progress
	names := []string{"time", "bytes", "allocs"}
	if cfg.Service != nil {
		names = serviceFigures(cfg.Service.Trial)
		cfg.Optional = garbage // without net/http/pprof a service is judged by what is seen from outside
	} else {
		cfg.Packages = packages
	}
	cfg.Limits = limits(names, g.Margin)
	res, err := gate.Run(ctx, cfg)
	if err != nil {
		return nil, err
	}
	if len(res.Identical) > 0 && len(res.Judgements) == 0 {
		return &Measurement{Verdict: Same, Method: strings.Join(res.Identical, ", ") + ": the same to the byte"}, nil
	}
	return measurement(res.Judgements, res.Method), nil
}

// serviceFigures are what is measured of a service. The p99 decides nothing: it is left out at a rate at which a gate
// would refuse to measure it.
func serviceFigures(t trial.Config) []string {
	names := []string{"cpu_per_request", "allocs", "alloc_bytes", "rss", "errors"}
	longest := t.Slice
	if longest == 0 {
		longest = gate.LongestSlice
	}
	if trial.LeastSlice(t.Rate, 0.99) <= longest {
		names = append(names, "p99")
	}
	return names
}

// limits bound both ways, so that a gate's failure is a change that it is sure of.
func limits(names []string, margin float64) (out []gate.Limit) {
	for _, n := range names {
		out = append(out, gate.Limit{Figure: n, Rise: true, Share: margin}, gate.Limit{Figure: n, Share: margin})
	}
	return out
}

// secondary are figures that decide nothing: memory that a cure keeps to save work, and the latency of a few requests.
var secondary = []string{"rss", "p99"}

// garbage are figures of what is allocated. What that costs is part of the time and the CPU: it decides where these do
// not. A buffer that is made for each call is more garbage, and may save ten times the CPU.
var garbage = []string{"alloc_bytes", "bytes", "allocs"}

// measurement reads judgements under limits both ways.
func measurement(js []gate.Judgement, method string) *Measurement {
	m := &Measurement{Verdict: Same, Method: method}
	better, worse, doubt, less, more := false, false, false, false, false
	for _, j := range js {
		sure := j.Outcome == gate.Fail
		switch {
		case slices.Contains(secondary, j.Figure):
		case slices.Contains(garbage, j.Figure):
			less, more = less || sure && !j.Limit.Rise, more || sure && j.Limit.Rise
		default:
			better, worse = better || sure && !j.Limit.Rise, worse || sure && j.Limit.Rise
			doubt = doubt || j.Outcome == gate.CannotTell
		}
		f := Figure{Subject: j.Subject, Name: j.Figure, Unit: j.Unit, Before: j.Base, After: j.Head, Change: j.Change,
			Sure: sure}
		i := slices.IndexFunc(m.Figures, func(o Figure) bool { return o.Subject == f.Subject && o.Name == f.Name })
		if i < 0 {
			m.Figures = append(m.Figures, f)
		} else {
			m.Figures[i].Sure = m.Figures[i].Sure || sure
		}
	}
	switch {
	case worse:
		m.Verdict = Worse
	case better:
		m.Verdict = Better
	case more:
		m.Verdict = Worse
	case less:
		m.Verdict = Better
	case doubt:
		m.Verdict = Unclear
	}
	return m
}
