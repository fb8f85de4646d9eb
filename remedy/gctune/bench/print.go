package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"
)

const header = "CPU s\tours, of it ×\tGC s\tcycles\tsystem s\tfaults\tp50 ms\tp99 ms\tRSS MiB\tpeak MiB\tshed\tOOM " +
	"kills\t  variant"

// print writes the table of a load and what must hold.
func print(out io.Writer, p plan, l load, peers, settings []*contest) {
	fmt.Fprintf(out, "\n%s: %s; limit %d MiB, target %d, %v each, each beside %s\n", l.name, l.text, limit>>20,
		target>>20, p.measure, ours.name)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, header)
	everything := slices.Concat(peers, settings)
	var all []outcome
	for _, c := range everything {
		all = append(all, c.ours...)
	}
	row(w, ours, all, 1)
	for _, c := range everything {
		row(w, c.variant, c.its, median(c.ratios()))
	}
	w.Flush()
	held(out, all)
	price(out, settings)
}

func row(w io.Writer, v variant, runs []outcome, ratio float64) {
	if runs = slices.Clone(runs); len(runs) == 0 {
		return
	}
	kills, shed := 0, 0
	for _, o := range runs {
		kills += o.Kills
		shed += o.Shed
	}
	peak := slices.MaxFunc(runs, func(a, b outcome) int { return int(a.Peak - b.Peak) }).Peak
	if runs = slices.DeleteFunc(runs, func(o outcome) bool { return o.Failed != nil }); len(runs) == 0 {
		fmt.Fprintf(w, "–\t–\t–\t–\t–\t–\t–\t–\t–\t%d\t–\t%d\t  %s (%s)\n", peak>>20, kills, v.name, v.text)
		return
	}
	of := func(f func(outcome) float64) float64 {
		values := make([]float64, len(runs))
		for i, o := range runs {
			values[i] = f(o)
		}
		return median(values)
	}
	fmt.Fprintf(w, "%.2f\t%.3f\t%.2f\t%.0f\t%.2f\t%.0f\t%.1f\t%.1f\t%.0f\t%d%s\t%d\t%d\t  %s (%s)\n",
		of(func(o outcome) float64 { return o.CPU }), ratio, of(func(o outcome) float64 { return o.GC }),
		of(func(o outcome) float64 { return float64(o.Cycles) }), of(func(o outcome) float64 { return o.System }),
		of(func(o outcome) float64 { return float64(o.Faults) }), of(func(o outcome) float64 { return o.P50 }),
		of(func(o outcome) float64 { return o.P99 }), of(func(o outcome) float64 { return float64(o.PeakRSS >> 20) }),
		peak>>20, above(peak), shed, kills, v.name, v.text)
}

func above(peak int64) string {
	if peak > target {
		return " above"
	}
	return ""
}

// held says whether ours stayed below its target in every run.
func held(out io.Writer, runs []outcome) {
	peak := slices.MaxFunc(runs, func(a, b outcome) int { return int(a.Peak - b.Peak) }).Peak
	verdict := "never above its target"
	if peak > target {
		verdict = "ABOVE ITS TARGET"
	}
	fmt.Fprintf(out, "%s: %s in %d runs, highest peak %.1f MiB of %d\n", ours.name, verdict, len(runs),
		float64(peak)/(1<<20), target>>20)
	fmt.Fprintf(out, "%s, the last run: %s\n", ours.name, runs[len(runs)-1].Tuner)
}

// price compares with the best fixed settings: the finalists of the search, for each the median of rounds that did not
// choose it.
func price(out io.Writer, settings []*contest) {
	none := true
	for _, c := range settings {
		if !c.finalist || !c.holds() || len(c.ratios()) == 0 {
			continue
		}
		none = false
		r := c.ratios()
		slices.Sort(r)
		fmt.Fprintf(out,
			"CPU of %s is × %.3f of a best fixed setting, %s (%d rounds, %.3f to %.3f); to be × 1.03 at most\n",
			ours.name, median(r), c.text, len(r), r[0], r[len(r)-1])
	}
	if none {
		fmt.Fprintln(out, "no fixed setting of the search stays below the target in all of its rounds")
	}
}

// median is NaN of nothing.
func median(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	v := slices.Sorted(slices.Values(values))
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}
