package terminal

import (
	"fmt"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/words"
)

// Trace prints the tables of an execution trace, each with at most so many rows, on 80 columns.
func (p *Printer) Trace(s *traces.Summary, rows int) {
	p.Text("", fmt.Sprintf("%s: %s events over %s, GOMAXPROCS %d, %s", s.Name, number.Count(float64(s.Events)),
		number.Duration(s.Span), s.Procs, s.Version))
	t := traceTables{p, s, rows}
	t.use()
	t.overTime()
	t.kinds()
	t.slowest()
	t.scheduler()
	t.collector()
	t.stops()
	t.blocking()
	t.syscalls()
	t.goroutines()
	t.created()
}

type traceTables struct {
	*Printer
	*traces.Summary
	rows int
}

// head prints the first line of a table.
func (t *traceTables) head(title string) {
	fmt.Fprintf(t.W, "\n%-33s%7s%8s%8s%8s%8s%8s\n", title, "number", "min", "mean", "p50", "p99", "max")
}

// row prints a distribution.
func (t *traceTables) row(name string, d traces.Times) {
	fmt.Fprintf(t.W, "%-32s %7s%8s%8s%8s%8s%8s\n", Clip(render.Plain(name), 32), number.Count(float64(d.Count)),
		took(d.Min), took(d.Mean()), took(d.P50), took(d.P99), took(d.Max))
}

// took is a duration in at most seven columns.
func took(d time.Duration) string { return number.Duration(d.Round(precision(d))) }

// precision leaves three digits at most, and no more than the units of clocks have.
func precision(d time.Duration) time.Duration {
	for unit := time.Nanosecond; ; unit *= 10 {
		if d < 1000*unit {
			return unit
		}
	}
}

// note prints a line below a row.
func (t *traceTables) note(text string) {
	if text != "" {
		fmt.Fprintln(t.W, "  "+Clip(render.Plain(text), t.Width-2))
	}
}

func (t *traceTables) use() {
	u := t.Use
	if all := u.Busy + u.Idle; all > 0 {
		t.Text("", fmt.Sprintf("Processors busy %s; on average %s goroutines waited for one, %s of that beside an "+
			"idle one.", share(u.Busy, all), number.Digits(u.Waited.Seconds()/max(t.Span.Seconds(), 1e-9)),
			share(u.WaitedBesideIdle, u.Waited)))
	}
}

func share(part, whole time.Duration) string {
	if whole <= 0 {
		return "0 %"
	}
	return number.Share(float64(part) / float64(whole))
}

func (t *traceTables) kinds() {
	if len(t.Kinds) == 0 {
		return
	}
	t.head("Requests, calls and regions")
	for _, k := range t.Kinds[:min(t.rows, len(t.Kinds))] {
		t.row(k.Name, k.Times)
		t.note(spentText(k.Spent, k.Stopped))
		if k.Open > 0 {
			t.note(fmt.Sprintf("%s more began before the trace or ended after it",
				number.Things(k.Open, "such region")))
		}
	}
}

// spentText is where time went, what took most first, without what is below 1 %.
func spentText(s traces.Spent, stopped time.Duration) string {
	type part struct {
		name string
		d    time.Duration
	}
	parts := []part{{"running", s.Running}, {"GC assist", s.Assist}, {"runnable", s.Runnable}, {"syscall", s.Syscall},
		{"network", s.Network}, {"lock", s.Lock}, {"channel", s.Channel}, {"select", s.Select}, {"sleep", s.Sleep},
		{"GC wait", s.GCWait}, {"other", s.Other}}
	sum := s.Sum()
	var out []string
	for _, p := range parts {
		if p.d*100 >= sum && p.d > 0 {
			out = append(out, p.name+" "+share(p.d, sum))
		}
	}
	if stopped*100 >= sum && stopped > 0 {
		out = append(out, "(world stopped "+share(stopped, sum)+")")
	}
	return strings.Join(out, ", ")
}

// slowestShown is how many requests of a kind are printed with their paths: two for the usual eight rows, and one more
// for each further row, up to the ten that a summary has.
func (t *traceTables) slowestShown() int { return max(2, t.rows-6) }

func (t *traceTables) slowest() {
	shown := make(map[string]int)
	for _, r := range t.Slowest {
		if len(r.Path) == 0 || shown[r.Kind] == t.slowestShown() || len(shown) == t.rows && shown[r.Kind] == 0 {
			continue
		}
		shown[r.Kind]++
		fmt.Fprintf(t.W, "\nSlow: %s, %s, at %s\n", Clip(render.Plain(r.Kind), 40), took(r.Took), took(r.At))
		for _, step := range r.Path {
			if step.Took*50 < r.Took {
				continue
			}
			text := fmt.Sprintf("%s%-8s %s  %s", strings.Repeat("  ", step.Depth), took(step.Took), step.State,
				placeText(step.Stack))
			if step.Depth > 0 && (step.State == "running" || step.State == "assist") {
				text += " in " + words.Function(step.Goroutine)
			}
			t.note(text)
		}
	}
}

func (t *traceTables) scheduler() {
	t.head("Waiting for a processor")
	s := t.Scheduler
	t.row("after a wake-up or preemption", s.Latency)
	t.row("new goroutines", s.Created)
	if s.Network.Count > 0 {
		t.row("from network event to running", s.Network)
		t.row("  before that, unseen, at most", s.Unseen)
	}
	for i, g := range t.Goroutines {
		if i == t.rows {
			break
		}
		if g.Latency.Count > 0 {
			t.row("  "+words.Function(g.Name), g.Latency)
		}
	}
}

func (t *traceTables) stops() {
	if len(t.Stops) == 0 {
		return
	}
	t.head("Stops of the world")
	for _, s := range t.Stops[:min(t.rows, len(t.Stops))] {
		t.row(s.Reason, s.Times)
		for _, l := range s.Late[:min(1, len(s.Late))] {
			t.note(fmt.Sprintf("late by %s: %s", took(l.Times.Max), placeText(l.Stack)))
		}
	}
}

func (t *traceTables) blocking() {
	if len(t.Blocking) == 0 {
		return
	}
	t.head("Waiting, by line")
	n := 0
	for _, w := range t.Blocking {
		if n == t.rows {
			break
		}
		if only(w.Stack, stacks.Runtime) { // the runtime's own goroutines at rest
			continue
		}
		n++
		t.row(w.Reason, w.Times)
		t.note(placeText(w.Stack))
		switch {
		case len(w.Holders) > 0:
			t.note("held by " + placeText(w.Holders[0].Stack))
		case len(w.Wakers) > 0 && len(w.Wakers[0].Stack) > 0:
			t.note("ended by " + placeText(w.Wakers[0].Stack))
		}
	}
}

func (t *traceTables) syscalls() {
	if len(t.Syscalls) == 0 {
		return
	}
	t.head("System calls, by line")
	for _, s := range t.Syscalls[:min(t.rows, len(t.Syscalls))] {
		t.row(innermost(s.Stack), s.Times)
		t.note(placeText(s.Stack))
	}
}

func (t *traceTables) goroutines() {
	if len(t.Goroutines) == 0 {
		return
	}
	t.head("Stretches on a processor")
	for _, g := range t.Goroutines[:min(t.rows, len(t.Goroutines))] {
		t.row(words.Function(g.Name), g.Runs)
		t.note(fmt.Sprintf("%s; ran %s; others waited %s meanwhile", number.Things(g.Number, "goroutine"),
			took(g.Spent.Running+g.Spent.Assist), took(g.Delayed)))
	}
}

func (t *traceTables) created() {
	if len(t.Created) == 0 {
		return
	}
	t.head("Goroutines' lives, by who starts")
	for _, c := range t.Created[:min(t.rows, len(t.Created))] {
		t.row(placeText(c.Stack), c.Life)
		t.note(fmt.Sprintf("%d started, %d alive at the end: %s", c.Number, c.Alive, words.Function(c.Starts)))
	}
}

// placeText is the line of a stack that its reader wrote or chose: the innermost that is neither the runtime's nor the
// standard library's; otherwise the library's that is not only a way to the kernel.
func placeText(s traces.Stack) string {
	for _, f := range s {
		if stacks.FuncOf(f.Function, f.File, "").Owner < stacks.Std {
			return lineText(f)
		}
	}
	for _, f := range s {
		if fn := stacks.FuncOf(f.Function, f.File, ""); fn.Owner == stacks.Std && !isPlumbing(fn.Package) {
			return lineText(f)
		}
	}
	return innermost(s)
}

func lineText(f traces.Frame) string {
	return fmt.Sprintf("%s (%s:%d)", words.Function(f.Function), words.Base(f.File), f.Line)
}

// isPlumbing reports whether a package of the standard library is below what people call.
func isPlumbing(pkg string) bool {
	switch pkg {
	case "syscall", "net", "os", "io", "bufio", "sync", "context", "internal/poll":
		return true
	}
	return false
}

// innermost is the function at the top of a stack.
func innermost(s traces.Stack) string {
	if len(s) == 0 {
		return "(no stack)"
	}
	return words.Function(s[0].Function)
}

// only reports whether all of a stack belongs to an owner.
func only(s traces.Stack, o stacks.Owner) bool {
	for _, f := range s {
		if stacks.FuncOf(f.Function, f.File, "").Owner != o {
			return false
		}
	}
	return true
}
