package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// printLoad prints a result for a person, at 80 columns if the output is not a terminal.
func printLoad(w io.Writer, f *load.File, kept string) {
	p := terminal.New(w)
	t := &f.Total
	p.Text("", strings.Join(planWords(&f.Plan), ", "))
	p.Text("  sent       ", fmt.Sprintf("%d in %s", t.Sent, vitals.Seconds.Format(f.Seconds))+rateText(t.Rate, f))
	p.Text("  answered   ", fmt.Sprintf("%d well", t.OK)+rateText(t.Throughput, f))
	printErrors(p, f)
	if len(t.Codes) > 0 {
		var codes []string
		for _, c := range slices.Sorted(maps.Keys(t.Codes)) {
			codes = append(codes, fmt.Sprintf("%s × %d", c, t.Codes[c]))
		}
		p.Text("  status     ", strings.Join(codes, ", "))
	}
	printQuantiles(p, "  latency    ", t.Latency)
	printQuantiles(p, "  left late  ", f.Lag)
	if f.CPU.Seconds > 0 {
		p.Text("  CPU        ", fmt.Sprintf("generator %s, all processes %s of %s",
			vitals.Share.Format(f.CPU.Generator),
			vitals.Share.Format(f.CPU.Machine), number.Things(f.Machine.CPUs, "CPU")))
	}
	if f.Abandoned > 0 {
		p.Text("  abandoned  ", fmt.Sprintf("%d in flight at the end, not counted anywhere", f.Abandoned))
	}
	if kept != "" {
		p.Text("  kept       ", kept)
	}
	if f.Ended != "" {
		p.Text(p.Paint("warning", "ENDED EARLY")+"  ", f.Ended)
	}
	if f.Limited != "" {
		p.Text(p.Paint("warning", "LIMITED")+"  ", "The generator limited these figures: "+f.Limited+".")
	}
}

// rateText returns a rate. There is none of less than a second or of one request: a count that ends a run ends it with
// a request.
func rateText(rate float64, f *load.File) string {
	if f.Seconds < 1 || f.Total.Sent < 2 {
		return ""
	}
	return fmt.Sprintf(", %s a second", number.Digits(rate))
}

// planWords says what the load should have been.
func planWords(p *load.Plan) []string {
	what := p.Targets[0]
	if p.TargetCount > 1 {
		what = fmt.Sprintf("%d targets (%s …)", p.TargetCount, what)
	}
	words := []string{what}
	if p.Protocol != "" {
		words = append(words, p.Protocol)
	}
	words = append(words, p.Pace)
	if !strings.HasPrefix(p.Pace, p.Arrivals) { // the pace does not say it
		words = append(words, p.Arrivals+" arrivals")
	}
	if p.Seconds > 0 {
		words = append(words, "for "+time.Duration(p.Seconds*float64(time.Second)).String())
	}
	if p.Count > 0 {
		words = append(words, number.Things(int(p.Count), "request"))
	}
	return words
}

// printErrors prints the classes of errors that occurred, each with its first error.
func printErrors(p *terminal.Printer, f *load.File) {
	n := f.Total.Errors.Total()
	if n == 0 {
		p.Text("  errors     ", "none")
		return
	}
	p.Text("  errors     ", fmt.Sprintf("%d, %s", n, vitals.Share.Format(f.Total.ErrorShare)))
	for _, c := range load.ErrorClasses() {
		if of := f.Total.Errors.Of(c); of > 0 {
			p.Text(fmt.Sprintf("    %-10s ", c), fmt.Sprintf("%d, the first: %s", of, f.FirstErrors[string(c)]))
		}
	}
}

func printQuantiles(p *terminal.Printer, label string, q load.Quantiles) {
	if q.Count == 0 {
		return
	}
	var parts []string
	for _, v := range []struct {
		name  string
		value float64
	}{{"p50", q.P50}, {"p90", q.P90}, {"p99", q.P99}, {"p99.9", q.P999}, {"max", q.Max}} {
		parts = append(parts, v.name+"\u00a0"+strings.ReplaceAll(vitals.Seconds.Format(v.value), " ", "\u00a0"))
	}
	p.Text(label, strings.Join(parts, ", "))
}
