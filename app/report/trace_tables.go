package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// A timesTable is a table of distributions on one axis.
type timesTable struct {
	ID, Title, Text string
	Axis            string // what the bars go from and to
	Rows            []timesRow
}

// A timesRow is one distribution.
type timesRow struct {
	Name                             string
	Place                            *place
	Notes                            []string
	By                               *place // who held or ended it
	ByWord                           string
	Number, Mean, P50, P95, P99, Max string
	Strip                            *strip
}

// A strip draws a distribution: a line from the shortest to the longest, a box from the median to the 99th percentile.
// The numbers are percents of an axis that is logarithmic: a pause of 10 µs and one of 10 ms are both to be seen.
type strip struct{ Min, Width, Box, BoxWidth, Mid float64 }

// An axis is what the strips of a table share, in seconds.
type axis struct{ low, high float64 }

// axisOf spans all of a table's values, between powers of ten.
func axisOf(all []traces.Times) axis {
	a := axis{math.Inf(1), math.Inf(-1)}
	for _, t := range all {
		if t.Count > 0 && t.Max > 0 {
			a.low, a.high = min(a.low, max(t.Min.Seconds(), 1e-7)), max(a.high, t.Max.Seconds(), 1e-7)
		}
	}
	if a.low > a.high {
		return axis{}
	}
	a.low, a.high = math.Pow(10, math.Floor(math.Log10(a.low))), math.Pow(10, math.Ceil(math.Log10(a.high)))
	if a.high <= a.low {
		a.high = 10 * a.low
	}
	return a
}

func (a axis) at(d time.Duration) float64 {
	v := math.Log10(max(d.Seconds(), a.low)/a.low) / math.Log10(a.high/a.low)
	return 100 * clamp(v)
}

func (a axis) String() string {
	if a.high == 0 {
		return ""
	}
	return quantity(a.low, vitals.Seconds) + " to " + quantity(a.high, vitals.Seconds)
}

func (a axis) row(name string, t traces.Times) timesRow {
	r := timesRow{Name: name, Number: count(float64(t.Count))}
	if t.Count == 0 {
		return r
	}
	r.Mean, r.P50, r.P99, r.Max = took(t.Mean()), took(t.P50), took(t.P99), took(t.Max)
	if t.P95 > 0 {
		r.P95 = took(t.P95)
	}
	if a.high > 0 {
		s := strip{Min: a.at(t.Min), Box: a.at(t.P50), Mid: a.at(t.P50)}
		s.Width, s.BoxWidth = max(a.at(t.Max)-s.Min, 0.5), max(a.at(t.P99)-s.Box, 0.5)
		r.Strip = &s
	}
	return r
}

// An entry is a row before its table's axis is known.
type entry struct {
	name  string
	times traces.Times
	add   func(*timesRow)
}

// newTable is nil without anything to show.
func newTable(id, title, text string, entries []entry) *timesTable {
	var all []traces.Times
	entries = slices.DeleteFunc(entries, func(e entry) bool { return e.times.Count == 0 })
	for _, e := range entries[:min(len(entries), maxTraceRows)] {
		all = append(all, e.times)
	}
	if len(all) == 0 {
		return nil
	}
	a := axisOf(all)
	t := &timesTable{ID: id, Title: title, Text: text, Axis: a.String()}
	for i := range all {
		r := a.row(entries[i].name, all[i])
		if add := entries[i].add; add != nil {
			add(&r)
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

// traceTables are those that `casebook trace` prints.
func traceTables(s *traces.Summary, at sites) (out []timesTable) {
	for _, t := range []*timesTable{
		newTable("scheduler", "Waiting for a processor", "from ready to running", schedulerEntries(s)),
		newTable("collector", "Collector", collectorText(s), collectorEntries(s, at)),
		newTable("stops", "Stops of the world", "from asking for one to its end", stopEntries(s, at)),
		newTable("waiting", "Waiting, by line", "the largest sum first", waitEntries(s, at)),
		newTable("syscalls", "System calls, by line", "the largest sum first", syscallEntries(s, at)),
		newTable("runs", "Stretches on a processor", "by what the goroutines run", runEntries(s)),
		newTable("lives", "Goroutines' lives", "by the line that starts them", lifeEntries(s, at)),
	} {
		if t != nil {
			out = append(out, *t)
		}
	}
	return out
}

func schedulerEntries(s *traces.Summary) []entry {
	out := []entry{
		{name: "after a wake-up or preemption", times: s.Scheduler.Latency},
		{name: "new goroutines", times: s.Scheduler.Created},
		{name: "from network event to running", times: s.Scheduler.Network},
		{name: "before that, unseen, at most", times: s.Scheduler.Unseen},
	}
	for _, g := range s.Goroutines {
		out = append(out, entry{name: g.Name, times: g.Latency})
	}
	return out
}

func collectorText(s *traces.Summary) string {
	var workers time.Duration
	for _, d := range s.GC.Workers {
		workers += d
	}
	return fmt.Sprintf("marking %s of the time; workers %s of CPU, assists %s; heap goal %s",
		percentOf(s.GC.Marks.Total, s.Span), took(workers), took(s.GC.AssistCPU),
		quantity(float64(s.GC.HeapGoal), vitals.Bytes))
}

func collectorEntries(s *traces.Summary, at sites) []entry {
	out := []entry{{name: "mark phases", times: s.GC.Marks},
		{name: "assists, as delay of a goroutine", times: s.GC.AssistDelay}}
	for _, a := range s.GC.Assists {
		out = append(out, entry{"assists at", a.Times, func(r *timesRow) { r.Place = at.at(a.Stack) }})
	}
	return out
}

// at is place, by reference: a row may have none.
func (s sites) at(stack traces.Stack) *place {
	p := s.place(stack)
	return &p
}

func stopEntries(s *traces.Summary, at sites) (out []entry) {
	for _, stop := range s.Stops {
		out = append(out, entry{stop.Reason, stop.Times, func(r *timesRow) {
			if len(stop.Late) > 0 {
				r.By, r.ByWord = at.at(stop.Late[0].Stack), "late by "+took(stop.Late[0].Times.Max)+" at"
			}
		}})
	}
	return out
}

func waitEntries(s *traces.Summary, at sites) (out []entry) {
	for _, w := range s.Blocking {
		if ofRuntime(w.Stack) { // its own goroutines at rest
			continue
		}
		out = append(out, entry{w.Reason, w.Times, func(r *timesRow) {
			r.Place = at.at(w.Stack)
			switch {
			case len(w.Holders) > 0:
				r.By, r.ByWord = at.at(w.Holders[0].Stack), "held at"
			case len(w.Wakers) > 0 && len(w.Wakers[0].Stack) > 0:
				r.By, r.ByWord = at.at(w.Wakers[0].Stack), "ended at"
			}
		}})
	}
	return out
}

func ofRuntime(stack traces.Stack) bool {
	return !slices.ContainsFunc(stack, func(f traces.Frame) bool {
		return stacks.FuncOf(f.Function, f.File, "").Owner != stacks.Runtime
	})
}

func syscallEntries(s *traces.Summary, at sites) (out []entry) {
	for _, c := range s.Syscalls {
		name := "system call"
		if len(c.Stack) > 0 {
			name = c.Stack[0].Function
		}
		out = append(out, entry{name, c.Times, func(r *timesRow) { r.Place = at.at(c.Stack) }})
	}
	return out
}

func runEntries(s *traces.Summary) (out []entry) {
	for _, g := range s.Goroutines {
		out = append(out, entry{g.Name, g.Runs, func(r *timesRow) {
			r.Notes = []string{number.Things(g.Number, "goroutine") + "; ran " + took(g.Spent.Running+g.Spent.Assist) +
				"; others waited " + took(g.Delayed) + " meanwhile"}
		}})
	}
	return out
}

func lifeEntries(s *traces.Summary, at sites) (out []entry) {
	for _, c := range s.Created {
		out = append(out, entry{c.Starts, c.Life, func(r *timesRow) {
			r.Place = at.at(c.Stack)
			r.Notes = []string{count(float64(c.Number)) + " started, " + count(float64(c.Alive)) + " alive at the end"}
		}})
	}
	return out
}

// A split is where the time of goroutines went: parts of a bar, and all of it in words.
type split struct {
	Parts []splitPart
	Text  string
}

// A splitPart is one colour of a bar, in percents of its width.
type splitPart struct {
	Class, Name string
	X, Width    float64
}

// splitNames are the colours of a bar: p0, p1 … of pages.css.
var splitNames = [...]string{"running", "lock", "network", "system call", "channel, select, sleep, collector",
	"waiting for a processor", "GC assist"}

func splitLegend() (out []splitPart) {
	for i, name := range splitNames {
		out = append(out, splitPart{Class: "p" + strconv.Itoa(i), Name: name})
	}
	return out
}

func newSplit(s traces.Spent, stopped time.Duration) (out split) {
	sum := s.Sum()
	if sum <= 0 {
		return out
	}
	x := 0.0
	for i, d := range [...]time.Duration{s.Running, s.Lock, s.Network, s.Syscall,
		s.Channel + s.Select + s.Sleep + s.GCWait + s.Other, s.Runnable, s.Assist} {
		if width := 100 * float64(d) / float64(sum); width > 0 {
			out.Parts = append(out.Parts, splitPart{"p" + strconv.Itoa(i), splitNames[i], x, width})
			x += width
		}
	}
	var words []string
	for _, p := range []struct {
		name string
		d    time.Duration
	}{{"running", s.Running}, {"GC assist", s.Assist}, {"runnable", s.Runnable}, {"system call", s.Syscall},
		{"network", s.Network}, {"lock", s.Lock}, {"channel", s.Channel}, {"select", s.Select}, {"sleep", s.Sleep},
		{"GC wait", s.GCWait}, {"other", s.Other}, {"world stopped meanwhile", stopped}} {
		if p.d*100 >= sum && p.d > 0 {
			words = append(words, p.name+" "+percentOf(p.d, sum))
		}
	}
	out.Text = strings.Join(words, ", ")
	return out
}

// A useChart is the course of all processors over the trace.
type useChart struct {
	Busy, Waiting string      // points of lines, of 100 × 100
	Marking       [][2]string // x and width of each stretch
	Span, Top     string
}

// newUseChart is nil where the summary has no course.
func newUseChart(s *traces.Summary) *useChart {
	slots := s.Use.Timeline
	if len(slots) < 2 {
		return nil
	}
	top := float64(max(s.Procs, 1))
	for _, slot := range slots {
		top = max(top, slot.Waiting, slot.Busy)
	}
	out := &useChart{Span: took(s.Use.Step * time.Duration(len(slots))), Top: count(math.Ceil(top))}
	var busy, waiting []string
	for i, slot := range slots {
		x := 100 * float64(i) / float64(len(slots)-1)
		busy = append(busy, position(x)+","+position(98-96*clamp(slot.Busy/top)))
		waiting = append(waiting, position(x)+","+position(98-96*clamp(slot.Waiting/top)))
		if slot.Marking > 0.1 { // of the step
			out.Marking = append(out.Marking, [2]string{position(x), position(100 / float64(len(slots)))})
		}
	}
	out.Busy, out.Waiting = strings.Join(busy, " "), strings.Join(waiting, " ")
	return out
}
