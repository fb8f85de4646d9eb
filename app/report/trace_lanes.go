package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gocasebook/casebook/diagnose/traces"
)

// Lanes show what ran when: of each processor, and of each of the slowest requests. A step of time is a column of the
// lane, in which the states stand on each other, as high as their shares. Each state has a texture beside its colour,
// and the tables have the same in numbers.

// A lanePath is the outline of a state and of all that is below it. The lower ones are painted over it.
type lanePath struct{ Class, D string }

// laneHeight is that of a lane in its own units, 1 % each. Its width is its number of steps.
const laneHeight = 100

// A layer is a state of a lane: how high it is at each step, in thousandths.
type layer struct {
	class string
	share []int
}

// at is the share of a step; those at the end that are 0 may be missing.
func (l layer) at(i int) int {
	if i < len(l.share) {
		return min(max(l.share[i], 0), 1000)
	}
	return 0
}

// lanePaths draws layers on each other, the last one at the top.
func lanePaths(layers []layer, steps int) (out []lanePath) {
	height := make([]int, steps)
	for _, l := range layers {
		drawn := false
		for i := range height {
			drawn = drawn || l.at(i) > 0
			height[i] = min(height[i]+l.at(i), 1000)
		}
		if drawn {
			out = append(out, lanePath{l.class, outline(height)})
		}
	}
	slices.Reverse(out)
	return out
}

// outline goes along the tops of the columns.
func outline(height []int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "M0 %d", laneHeight)
	last := laneHeight
	for i, h := range height {
		y := laneHeight - int(math.Round(float64(h)*laneHeight/1000))
		if y != last {
			fmt.Fprintf(&b, "H%dV%d", i, y)
			last = y
		}
	}
	fmt.Fprintf(&b, "H%dV%dZ", len(height), laneHeight)
	return b.String()
}

// A laneKey is an entry of a legend.
type laneKey struct{ Class, Name string }

// A laneChart is the lanes of the processors.
type laneChart struct {
	Rows   []laneRow
	Legend []laneKey
	Ticks  []string // moments, the first and the last at the ends
	Text   string
	Tables []shareTable // the same in numbers: by processor, and by time
}

// A laneRow is a lane with its name.
type laneRow struct {
	Name  string
	Steps int
	Paths []lanePath
}

// A shareTable says how long processors were at what.
type shareTable struct {
	What string // what a row is
	Rows []shareRow
}

// A shareRow is what processors were at, in numbers.
type shareRow struct {
	Name                                                  string
	Running, Syscall, Collector, Scheduler, Idle, Stopped string
	Most                                                  string // what ran most
}

// procLayers are the states of processors from the bottom up, but for what ran: its types are below them. What is idle
// is what is left.
var procLayers = []struct{ state, class, name string }{
	{traces.ProcSyscall, "l-syscall", "system call"}, {traces.ProcScheduler, "l-scheduler", "scheduler, no goroutine"},
	{traces.ProcAssist, "l-assist", "GC assist"}, {traces.ProcCollector, "l-collector", "collector"},
	{traces.ProcStopped, "l-stopped", "stopped world"},
}

// Bounds of what is read of a summary, which may come from elsewhere.
const (
	maxLaneRows  = 64
	maxLaneSteps = 1000
	laneTypes    = 4 // with a colour of their own
	laneTicks    = 5
	timeRows     = 10
)

// A texture is the lines on the colour of a state, in a field of 8 × 8.
type texture struct{ Class, Lines string }

const (
	rising  = "M-1 9L9 -1M-1 1L1 -1M7 9L9 7"
	falling = "M-1 -1L9 9M7 -1L9 1M-1 7L1 9"
	upright = "M4 0V8"
	level   = "M0 4H8"
	dotted  = "M3 3H5V5H3Z"
)

// laneTextures are of the states that are not of one colour alone.
func laneTextures() []texture {
	return []texture{{"l-g1", level}, {"l-g2", dotted}, {"l-g3", upright}, {"l-syscall", falling},
		{"l-scheduler", dotted}, {"l-assist", falling}, {"l-collector", rising}, {"l-stopped", rising + falling},
		{"p1", rising}, {"p2", dotted}, {"p3", falling}, {"p4", level}, {"p5", upright}, {"p6", rising + falling}}
}

// newLaneChart is nil of a summary without lanes.
func newLaneChart(s *traces.Summary) *laneChart {
	if s.Lanes == nil || s.Lanes.Step <= 0 || len(s.Lanes.Procs) == 0 {
		return nil
	}
	l := *s.Lanes
	l.Procs, l.Group = l.Procs[:min(len(l.Procs), maxLaneRows)], max(l.Group, 1)
	steps := int(min((s.Span+l.Step-1)/l.Step, maxLaneSteps))
	if steps <= 0 {
		return nil
	}
	types := laneGoroutines(l.Procs)
	out := &laneChart{Legend: laneLegend(types, l.Procs), Text: "in steps of " + took(l.Step)}
	procs, times := shareTable{What: "Processor"}, shareTable{What: "Time"}
	for i, lane := range l.Procs {
		name := procName(i, l.Group, s.Procs)
		out.Rows = append(out.Rows, laneRow{name, steps, lanePaths(layersOf(lane, types), steps)})
		procs.Rows = append(procs.Rows, shareRowOf(name, []traces.Lane{lane}, 0, steps))
	}
	for i := range laneTicks {
		out.Ticks = append(out.Ticks, took(s.Span*time.Duration(i)/(laneTicks-1)))
	}
	rows := min(timeRows, steps)
	for i := range rows {
		from, to := i*steps/rows, (i+1)*steps/rows
		name := took(l.Step*time.Duration(from)) + " to " + took(min(l.Step*time.Duration(to), s.Span))
		times.Rows = append(times.Rows, shareRowOf(name, l.Procs, from, to))
	}
	out.Tables = []shareTable{procs, times}
	return out
}

// procName names the processors of a lane.
func procName(lane, group, procs int) string {
	first, last := lane*group, (lane+1)*group-1
	if procs > first {
		last = min(last, procs-1)
	}
	if first == last {
		return "P " + strconv.Itoa(first)
	}
	return fmt.Sprintf("P %d–%d", first, last)
}

// laneGoroutines are the types that ran most, over all lanes.
func laneGoroutines(lanes []traces.Lane) []string {
	total := make(map[string]time.Duration)
	for _, lane := range lanes {
		for i := range lane {
			if st := &lane[i]; st.State == traces.ProcRunning && st.Goroutine != traces.OtherGoroutines {
				total[st.Goroutine] += st.Total
			}
		}
	}
	var names []string
	for name := range total {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(total[b], total[a]), cmp.Compare(a, b)) })
	return names[:min(len(names), laneTypes)]
}

// layersOf are the types of a lane and then its states, each in the place that it has in every lane.
func layersOf(lane traces.Lane, types []string) []layer {
	out := make([]layer, 0, len(types)+1+len(procLayers))
	find := func(class string, is func(*traces.Stretch) bool) {
		l := layer{class: class}
		for i := range lane {
			if st := &lane[i]; is(st) {
				l = layer{class, sumOf(l, st.Share)}
			}
		}
		out = append(out, l)
	}
	for i, name := range types {
		find("l-g"+strconv.Itoa(i), func(st *traces.Stretch) bool {
			return st.State == traces.ProcRunning && st.Goroutine == name
		})
	}
	find("l-others", func(st *traces.Stretch) bool {
		return st.State == traces.ProcRunning && !slices.Contains(types, st.Goroutine)
	})
	for _, p := range procLayers {
		find(p.class, func(st *traces.Stretch) bool { return st.State == p.state })
	}
	return out
}

func sumOf(l layer, share []int) []int {
	out := make([]int, min(max(len(l.share), len(share)), maxLaneSteps))
	for i := range out {
		out[i] = l.at(i) + layer{share: share}.at(i)
	}
	return out
}

// laneLegend has what the lanes have.
func laneLegend(types []string, lanes []traces.Lane) (out []laneKey) {
	has := func(is func(*traces.Stretch) bool) bool {
		return slices.ContainsFunc(lanes, func(lane traces.Lane) bool {
			return slices.ContainsFunc(lane, func(st traces.Stretch) bool { return is(&st) })
		})
	}
	for i, name := range types {
		out = append(out, laneKey{"l-g" + strconv.Itoa(i), name})
	}
	if has(func(st *traces.Stretch) bool {
		return st.State == traces.ProcRunning && !slices.Contains(types, st.Goroutine)
	}) {
		out = append(out, laneKey{"l-others", "other goroutines"})
	}
	for _, p := range procLayers {
		if has(func(st *traces.Stretch) bool { return st.State == p.state }) {
			out = append(out, laneKey{p.class, p.name})
		}
	}
	return append(out, laneKey{"l-idle", "idle"})
}

// shareRowOf adds up what lanes were at from one step to another.
func shareRowOf(name string, lanes []traces.Lane, from, to int) shareRow {
	states, types := make(map[string]int), make(map[string]int)
	for _, lane := range lanes {
		for i := range lane {
			st := &lane[i]
			for k := from; k < to; k++ {
				share := layer{share: st.Share}.at(k)
				states[st.State] += share
				if st.State == traces.ProcRunning {
					types[st.Goroutine] += share
				}
			}
		}
	}
	all := max(1000*(to-from)*len(lanes), 1)
	share := func(of ...string) string {
		sum := 0
		for _, state := range of {
			sum += states[state]
		}
		return percent(float64(sum) / float64(all))
	}
	r := shareRow{Name: name, Running: share(traces.ProcRunning), Syscall: share(traces.ProcSyscall),
		Collector: share(traces.ProcCollector, traces.ProcAssist), Scheduler: share(traces.ProcScheduler),
		Idle: share(traces.ProcIdle), Stopped: share(traces.ProcStopped)}
	most := ""
	for g, sum := range types {
		if sum > types[most] || sum == types[most] && sum > 0 && g < most {
			most = g
		}
	}
	if sum := types[most]; sum > 0 {
		r.Most = most + " " + percent(float64(sum)/float64(all))
	}
	return r
}

// A courseChart is the lanes of the slowest requests.
type courseChart struct {
	Title  string
	Legend []laneKey
	Rows   []courseRow
}

// A courseRow is a request, with its lane and the same in words.
type courseRow struct {
	Kind, At, Took, Text string
	Steps                int
	Paths                []lanePath
}

// courseClasses are the classes of a goroutine's states, from the bottom up: those of splitNames.
var courseClasses = []struct{ class, states string }{
	{"p0", " running "}, {"p6", " assist "}, {"p3", " syscall "}, {"p2", " network "}, {"p1", " lock "},
	{"p4", " channel select sleep GC other "}, {"p5", " runnable "},
}

// newCourseChart is nil of a summary without courses.
func newCourseChart(s *traces.Summary) *courseChart {
	out := &courseChart{Title: "The slowest requests"}
	var drawn []*traces.Request
	for i := range s.Slowest {
		if r := &s.Slowest[i]; r.Course != nil && r.Course.Step > 0 && r.Took > 0 {
			drawn = append(drawn, r)
		}
	}
	slices.SortStableFunc(drawn, func(a, b *traces.Request) int { return cmp.Compare(b.Took, a.Took) })
	seen := make(map[string]bool)
	for _, r := range drawn[:min(len(drawn), maxSlowest)] {
		if !strings.Contains(r.Kind, " server") {
			out.Title = "The slowest calls and regions"
		}
		row := courseRow{Kind: r.Kind, At: took(r.At), Took: took(r.Took), Text: newSplit(r.Spent, r.Stopped).Text,
			Steps: int(min((r.Took+r.Course.Step-1)/r.Course.Step, maxLaneSteps))}
		var layers []layer
		for _, c := range courseClasses {
			l := layer{class: c.class}
			for i := range r.Course.States {
				if st := &r.Course.States[i]; strings.Contains(c.states, " "+st.State+" ") {
					l.share = sumOf(l, st.Share)
				}
			}
			seen[c.class] = seen[c.class] || len(l.share) > 0
			layers = append(layers, l)
		}
		row.Paths = lanePaths(layers, row.Steps)
		out.Rows = append(out.Rows, row)
	}
	if len(out.Rows) == 0 {
		return nil
	}
	for _, c := range courseClasses {
		if n, _ := strconv.Atoi(c.class[1:]); seen[c.class] {
			out.Legend = append(out.Legend, laneKey{c.class, splitNames[n]})
		}
	}
	return out
}
