package report

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/vitals"
)

// A Course is one chart of how a run of load went: lines over its seconds.
type Course struct {
	Name  string
	Unit  vitals.Unit
	Lines []CourseLine
	Note  string // instead of the chart if there is nothing to draw, otherwise below it
}

// A CourseLine is values at moments of the run, in seconds from its start; NaN if one is missing.
type CourseLine struct {
	Class, Label string
	At, Values   []float64
}

// maxStretches bounds the points of a line; if there are more windows, several are joined.
const maxStretches = 400

// A stretch is one window, or several that follow one another.
type stretch struct {
	start, end          float64
	sent, ok, errors    uint64
	p50, p90, p99, p999 float64 // of several windows the highest
}

// stretchesOf joins windows until there are few enough. per is how many make one.
func stretchesOf(windows []load.FileWindow) (out []stretch, per int) {
	per = max(1, (len(windows)+maxStretches-1)/maxStretches)
	for i := range windows {
		w := &windows[i]
		if i%per == 0 {
			nan := math.NaN()
			out = append(out, stretch{start: w.Start, p50: nan, p90: nan, p99: nan, p999: nan})
		}
		s := &out[len(out)-1]
		s.end = w.Start + w.Seconds
		s.sent, s.ok, s.errors = s.sent+w.Sent, s.ok+w.OK, s.errors+w.Errors.Total()
		if q := w.Latency; q.Count > 0 {
			s.p50, s.p90, s.p99, s.p999 = higher(s.p50, q.P50), higher(s.p90, q.P90), higher(s.p99, q.P99),
				higher(s.p999, q.P999)
		}
	}
	return out, per
}

func higher(a, b float64) float64 {
	if math.IsNaN(a) || b > a {
		return b
	}
	return a
}

// courseOf returns the rate, the errors and the latency of a run over its time; nil of one that kept no windows.
func courseOf(f *load.File) []Course {
	stretches, per := stretchesOf(f.Windows)
	if len(stretches) < 2 {
		return nil
	}
	line := func(class, label string, value func(s *stretch) float64) CourseLine {
		l := CourseLine{Class: class, Label: label}
		for i := range stretches {
			s := &stretches[i]
			l.At, l.Values = append(l.At, (s.start+s.end)/2), append(l.Values, value(s))
		}
		return l
	}
	a := func(n uint64, s *stretch) float64 { return float64(n) / (s.end - s.start) }
	rate := Course{Name: "Rate", Unit: vitals.PerSecond}
	if due := dueIn(f); due != nil {
		perSecond := func(s *stretch) float64 { return due(s) / (s.end - s.start) }
		rate.Lines = append(rate.Lines, line("due", "scheduled", perSecond))
	}
	rate.Lines = append(rate.Lines,
		line("before", "sent", func(s *stretch) float64 { return a(s.sent, s) }),
		line("after", "succeeded", func(s *stretch) float64 { return a(s.ok, s) }))
	errors := Course{Name: "Errors", Unit: vitals.Share, Note: "There were none in any window."}
	if f.Total.Errors.Total() > 0 {
		errors.Note = ""
		errors.Lines = []CourseLine{line("errors", "of the answers and failures", func(s *stretch) float64 {
			if s.ok+s.errors == 0 {
				return math.NaN()
			}
			return float64(s.errors) / float64(s.ok+s.errors)
		})}
	}
	latency := Course{Name: "Latency", Unit: vitals.Seconds, Lines: []CourseLine{
		line("p50", "p50", func(s *stretch) float64 { return s.p50 }),
		line("p90", "p90", func(s *stretch) float64 { return s.p90 }),
		line("p99", "p99", func(s *stretch) float64 { return s.p99 }),
		line("p999", "p99.9", func(s *stretch) float64 { return s.p999 }),
	}}
	if per > 1 {
		latency.Note = fmt.Sprintf("A point is the highest of %d consecutive windows; rates and errors count all of "+
			"them.",
			per)
	}
	return []Course{rate, errors, latency}
}

// dueIn counts the requests that the schedule had due in a stretch; nil if the file does not say it: a replay's
// arrivals are in another one, and files of before there was a choice of arrivals are evenly spaced without saying so.
func dueIn(f *load.File) func(s *stretch) float64 {
	if f.Plan.HowSpaced() != f.Plan.Arrivals || strings.HasPrefix(f.Plan.Pace, "replay") {
		return nil
	}
	schedule, err := load.ParseSchedule(f.Plan.Pace)
	if err != nil {
		return nil
	}
	schedule = schedule.Seeded(f.Plan.Seed)
	at := func(seconds float64) time.Duration { return time.Duration(seconds * float64(time.Second)) }
	return func(s *stretch) float64 {
		_, n := load.Between(schedule.Pace, at(s.start), at(s.end))
		return float64(n)
	}
}

// A coursePlot is a Course drawn.
type coursePlot struct {
	Course
	Plot *plot // nil where there is nothing to draw
}

func coursePlots(courses []Course) []coursePlot {
	var out []coursePlot
	for _, c := range courses {
		out = append(out, coursePlot{c, c.plot()})
	}
	return out
}

func (c *Course) plot() *plot {
	var lists [][]float64
	end := 0.0
	for _, l := range c.Lines {
		lists = append(lists, l.Values)
		for _, at := range l.At {
			end = max(end, at)
		}
	}
	if c.Unit != vitals.Seconds { // rates and shares are read against nothing
		lists = append(lists, []float64{0})
	}
	across := scale{low: 0, high: end}
	moment := func(v float64) string { return strings.TrimPrefix(offset(time.Duration(v*float64(time.Second))), "+") }
	switch {
	case end < 10:
		moment = func(v float64) string { return quantity(v, vitals.Seconds) }
	case end > 300:
		across.unit = 60 // ticks at whole minutes
	}
	s, ok := newScale(lists...)
	if !ok || len(c.Lines) == 0 || !(end > 0) {
		return nil
	}
	text := func(v float64) string { return quantity(v, c.Unit) }
	p := &plot{Label: c.Name + " over the run", Class: "course", Height: 150, Y: yTicks(s, 4, text),
		X: xTicks(across, 6, moment)}
	for _, l := range c.Lines {
		for _, run := range l.runs() {
			var xs, ys []float64
			for _, i := range run {
				xs, ys = append(xs, across.at(l.At[i])), append(ys, 1-s.at(l.Values[i]))
			}
			p.Lines = append(p.Lines, polyline{l.Class, points(xs, ys)})
		}
	}
	return p
}

// runs returns the positions of values that are there, a gap between two runs: no line goes over what was not measured.
func (l *CourseLine) runs() (out [][]int) {
	open := false
	for i, v := range l.Values {
		if open = open && finite(v); finite(v) {
			if !open {
				out, open = append(out, nil), true
			}
			out[len(out)-1] = append(out[len(out)-1], i)
		}
	}
	return out
}
