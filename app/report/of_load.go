package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// OfLoad returns the page of one run of load. Its rounds are the run's windows. It fails when the file's histogram is
// damaged.
func OfLoad(f *load.File) (Comparison, error) {
	curve, err := curveOf(f)
	if err != nil {
		return Comparison{}, err
	}
	c := Comparison{
		Title: loadTitle(f), Taken: f.Start, Load: loadWords(&f.Plan), Round: windowName(f),
		Sides:   []Side{{Label: "this run"}},
		Summary: loadSummary(f), Course: courseOf(f), Figures: loadFigures(f), Latency: []Curve{curve},
		Machine: loadMachine(f),
		Method: []string{
			"Requests were sent on a schedule that does not wait for the target. " + fromDue,
			"The figures are for the whole run. The rounds are its windows: a window holds the answers that arrived " +
				"in it. Latencies are kept in an HDR histogram with three significant digits.",
		},
		Warnings: loadWarnings(f),
	}
	if len(f.Windows) == 0 {
		c.Warnings = append(c.Warnings, "The run kept no windows, so the page cannot show it over time.")
	}
	return c, nil
}

// OfLoads returns the page of two runs of load, judged by the proof.
func OfLoads(before, after *load.File, p casefile.Proof) Comparison {
	a, b := windowRounds(before), windowRounds(after)
	rounds := make([][3]prove.Round, max(len(a), len(b)))
	for i := range rounds {
		if i < len(a) {
			rounds[i][0] = a[i]
		}
		if i < len(b) {
			rounds[i][2] = b[i]
		}
	}
	c := ofRounds(p, rounds)
	c.Round = windowName(before)
	if c.Load == "" {
		c.Load = loadWords(&before.Plan)
	}
	var curves []Curve
	for i, f := range []*load.File{before, after} {
		curve, err := curveOf(f)
		if err != nil {
			c.Warnings = append(c.Warnings, fmt.Sprintf("The latency curves are missing: %s: %v.",
				sideLabel(c.Sides, i), err))
			continue
		}
		curves = append(curves, curve)
	}
	if len(curves) == 2 {
		c.Latency = curves
	}
	c.Method = append(c.Method, "The two runs were made one after the other. So the change includes what else the "+
		"machine did, and the noise between two starts is unknown. `casebook prove` measures both at the same time.")
	if len(c.Machine) == 0 {
		c.Machine = loadMachine(before)
	}
	return c
}

// curveOf reads the whole run's distribution.
func curveOf(f *load.File) (Curve, error) {
	l, err := f.Total.Latency.Latency()
	if err != nil {
		return nil, fmt.Errorf("reading the latencies of the run: %w", err)
	}
	return LatencyCurve(l), nil
}

// curveSteps is how many points a nine has: a point every 2 % of the way is finer than a screen shows.
const curveSteps = 50

// LatencyCurve returns a distribution as far as it goes: up to the percentile that one request alone makes up.
func LatencyCurve(l load.Latency) Curve {
	n := float64(l.Count())
	if n == 0 {
		return nil
	}
	var c Curve
	last := math.Log10(n)
	for k := 0; float64(k)/curveSteps <= last; k++ {
		q := 1 - math.Pow(10, -float64(k)/curveSteps)
		c = append(c, CurvePoint{q, l.Quantile(q).Seconds()})
	}
	for _, q := range percentiles {
		if nines(q) <= last {
			c = insertPoint(c, CurvePoint{q, l.Quantile(q).Seconds()})
		}
	}
	return append(c, CurvePoint{1, l.Max().Seconds()})
}

func insertPoint(c Curve, p CurvePoint) Curve {
	for i := range c {
		if math.Abs(c[i].Q-p.Q) < 1e-9 {
			return c
		}
		if c[i].Q > p.Q {
			c = append(c, CurvePoint{})
			copy(c[i+1:], c[i:])
			c[i] = p
			return c
		}
	}
	return append(c, p)
}

// windowRounds returns the figures of each window.
func windowRounds(f *load.File) []prove.Round {
	var out []prove.Round
	for i := range f.Windows {
		w := &f.Windows[i]
		r := prove.Round{}
		if w.Seconds > 0 {
			r[prove.Throughput] = w.Throughput
		}
		if w.OK+w.Errors.Total() > 0 {
			r[prove.ErrorShare] = w.ErrorShare
		}
		if q := w.Latency; q.Count > 0 {
			r[prove.P50], r[prove.P90], r[prove.P99], r[prove.P999] = q.P50, q.P90, q.P99, q.P999
		}
		out = append(out, r)
	}
	return out
}

// loadFigures returns the figures of the whole run with those of its windows.
func loadFigures(f *load.File) []Measured {
	windows := windowRounds(f)
	rounds := make([][3]prove.Round, len(windows))
	for i, w := range windows {
		rounds[i][0] = w
	}
	whole := map[string]float64{prove.Throughput: f.Total.Throughput, prove.ErrorShare: f.Total.ErrorShare}
	if q := f.Total.Latency; q.Count > 0 {
		whole[prove.P50], whole[prove.P90], whole[prove.P99], whole[prove.P999] = q.P50, q.P90, q.P99, q.P999
	}
	var out []Measured
	for _, s := range prove.Figures() {
		v, ok := whole[s.Name]
		if !ok {
			continue
		}
		out = append(out, Measured{
			Figure: casefile.Figure{Name: s.Name, Unit: string(s.Unit), Better: s.Better,
				Before: casefile.Stat{Value: v, Low: v, High: v, N: 1}, P: 1},
			Text:   strings.Replace(s.Text, "a window's", "all", 1),
			Rounds: Rounds{Before: valuesOf(rounds, 0, s.Name)},
		})
	}
	return out
}

func loadTitle(f *load.File) string {
	if f.Total.Latency.Count == 0 {
		return "No answers"
	}
	q := f.Total.Latency
	return fmt.Sprintf("p50 %s, p99 %s at %s", quantity(q.P50, vitals.Seconds), quantity(q.P99, vitals.Seconds),
		quantity(f.Total.Rate, vitals.PerSecond))
}

func loadSummary(f *load.File) string {
	t := &f.Total
	return fmt.Sprintf("%s requests were sent in %s; %s succeeded, %s failed (%s).",
		count(float64(t.Sent)), quantity(f.Seconds, vitals.Seconds),
		count(float64(t.OK)), count(float64(t.Errors.Total())), percent(t.ErrorShare))
}

func loadWords(p *load.Plan) string {
	words := p.Pace
	if len(p.Targets) > 0 {
		words = p.Targets[0] + ", " + words
	}
	if p.TargetCount > 1 {
		words = strconv.Itoa(p.TargetCount) + " targets, the first " + words
	}
	return words
}

func windowName(f *load.File) string {
	if len(f.Windows) == 0 {
		return "window"
	}
	return "window of " + quantity(f.Windows[0].Seconds, vitals.Seconds)
}

func loadWarnings(f *load.File) []string {
	var out []string
	if f.Limited != "" {
		out = append(out, "The generator limited these figures: "+f.Limited+".")
	}
	if f.Ended != "" {
		out = append(out, "The run ended early: "+f.Ended+".")
	}
	for _, class := range load.ErrorClasses() {
		if n := f.Total.Errors.Of(class); n > 0 {
			out = append(out, fmt.Sprintf("%s × %s, the first: %s", count(float64(n)), class,
				f.FirstErrors[string(class)]))
		}
	}
	return out
}

func loadMachine(f *load.File) []Fact {
	m := &f.Machine
	out := []Fact{{"System", m.OS + "/" + m.Arch}, {"CPUs", strconv.Itoa(m.CPUs)}, {"Go of casebook", m.Go}}
	if f.CPU.Seconds > 0 {
		out = append(out, Fact{"CPU used", "generator " + percent(f.CPU.Generator) + ", all processes " +
			percent(f.CPU.Machine) + " of all CPUs"})
	}
	if q := f.Lag; q.Count > 0 {
		out = append(out, Fact{"Requests were sent late by", "p50 " + quantity(q.P50, vitals.Seconds) + ", p99 " +
			quantity(q.P99, vitals.Seconds) + ", max " + quantity(q.Max, vitals.Seconds)})
	}
	return out
}
