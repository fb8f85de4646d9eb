package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/load/targets"
	"github.com/gocasebook/casebook/internal/plain"
	"github.com/gocasebook/casebook/vitals"
)

// loadOutput is where a load's figures go.
type loadOutput struct {
	file   string // --out
	html   string // --html
	window time.Duration
	json   bool
	silent bool

	stdout, stderr io.Writer
	width          int
	live           bool // stderr is a terminal: the line of progress is rewritten
	began          time.Time
	printed        time.Time // of the last line of progress, if it is not rewritten
}

func (o *loadOutput) add(fs *pflag.FlagSet) {
	fs.StringVarP(&o.file, "out", "o", "", "write all figures to a `file`, for casebook compare (docs/load-json.md)")
	fs.StringVar(&o.html, "html", "", "write one page to this `file`: latency by percentile and over time")
	fs.DurationVar(&o.window, "window", time.Second, "`length` of the windows of a run, for progress and --out")
	fs.BoolVar(&o.json, "json", false, "print JSON")
	fs.BoolVar(&o.silent, "silent", false, "print no progress")
}

// keeps says whether windows are wanted after the run.
func (o *loadOutput) keeps() bool { return o.file != "" || o.html != "" }

// check finds out before the load, not after it, that its result cannot be written.
func (o *loadOutput) check() error {
	return errors.Join(command.CheckWritable("--out", o.file), command.CheckWritable("--html", o.html))
}

// checkWindows refuses to keep more windows than a file holds. If a run ends by its count, the number of windows is
// not known yet.
func (o *loadOutput) checkWindows(job *loadJob) error {
	if d := job.config.Duration; o.keeps() && o.window > 0 && job.plan.Count == 0 && d/o.window > load.MaxWindows {
		return fmt.Errorf("--window: %v in windows of %v are more than the %d that --out and --html keep: use %v or "+
			"more",
			d, o.window, load.MaxWindows, (d/load.MaxWindows + time.Second).Truncate(time.Second))
	}
	return nil
}

// progress prints a window: on a terminal every one, in one line that is rewritten; elsewhere about ten per run, and at
// most one per second.
func (o *loadOutput) progress(w load.Window, whole time.Duration) {
	if o.silent {
		return
	}
	end := w.Start.Add(time.Duration(w.Seconds * float64(time.Second)))
	if w.Index == 0 {
		o.began, o.printed = w.Start, w.Start
	}
	line := progressLine(w, end.Sub(o.began))
	if o.live {
		plain.EraseLine(o.stderr)
		fmt.Fprint(o.stderr, cut(line, o.width-1))
		return
	}
	if whole == 0 { // a search, which prints its steps
		return
	}
	if every := min(max(whole/10, time.Second), time.Minute); end.Sub(o.printed) >= every-every/10 {
		o.printed = end
		fmt.Fprintln(o.stderr, line)
	}
}

func progressLine(w load.Window, at time.Duration) string {
	return fmt.Sprintf("%6s  %s  p50 %s  p99 %s  errors %s  in flight %d",
		at.Round(time.Second), vitals.PerSecond.Format(w.Rate()),
		latencyText(w.Latency.P50().Seconds(), w.Latency.Count()),
		latencyText(w.Latency.P99().Seconds(), w.Latency.Count()),
		vitals.Count.Format(float64(w.Errors.Total())), w.InFlight)
}

// latencyText returns a quantile of n values.
func latencyText(seconds float64, n uint64) string {
	if n == 0 {
		return "–"
	}
	return vitals.Seconds.Format(seconds)
}

// endProgress leaves the terminal as it was.
func (o *loadOutput) endProgress() {
	if o.live && !o.silent {
		plain.EraseLine(o.stderr)
	}
}

func cut(s string, width int) string {
	r := []rune(s)
	return string(r[:min(len(r), max(width, 0))])
}

func indent(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }

func templateHelp() string { return indent(strings.Join(targets.Functions(), "\n")) }
