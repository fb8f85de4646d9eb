package trace

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/gocasebook/casebook/diagnose/traces"
)

// laneTypes is how many types of goroutines the summary's lanes name.
const laneTypes = 4

// plain are the lanes in the summary; nil of a trace without Ps. Types of one name are one.
func (l *lanes) plain() *traces.Lanes {
	steps, span := 0, int64(0)
	for _, row := range l.rows {
		steps = max(steps, len(row))
	}
	if steps == 0 {
		return nil
	}
	for i := range l.procs {
		span = max(span, l.procs[i].since-l.begun)
	}
	named := l.named()
	out := &traces.Lanes{Step: time.Duration(l.step), Group: l.group}
	for lane, row := range l.rows {
		ps := min(l.group, len(l.procs)-lane*l.group)
		d := drawnLane{whole: func(i int) float64 {
			return float64(ps) * float64(min(l.step, span-int64(i)*l.step))
		}, steps: steps}
		for i := range row {
			d.slot(i, &row[i], named)
		}
		out.Procs = append(out.Procs, d.plain(named))
	}
	return out
}

// named are the types that ran most, in this order, and then those that are not named.
func (l *lanes) named() []string {
	total := make(map[string]int64)
	for _, row := range l.rows {
		for i := range row {
			for _, t := range row[i].types {
				if t.typ != nil {
					total[t.typ.name] += t.ns
				}
			}
		}
	}
	delete(total, othersName)
	names := make([]string, 0, len(total))
	for name := range total {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(total[b], total[a]), cmp.Compare(a, b)) })
	return append(names[:min(len(names), laneTypes)], traces.OtherGoroutines)
}

// A drawnLane is the lane of some Ps on its way into the summary: ns by state and step, and of the state running by
// type.
type drawnLane struct {
	steps  int
	whole  func(step int) float64 // ns of the Ps
	states [procStates][]int64
	types  [laneTypes + 1][]int64
}

// slot adds what was counted in a step.
func (d *drawnLane) slot(i int, s *laneSlot, named []string) {
	put := func(column *[]int64, ns int64) {
		if ns > 0 && *column == nil {
			*column = make([]int64, d.steps)
		}
		if ns > 0 {
			(*column)[i] += ns
		}
	}
	for state, ns := range s.states {
		put(&d.states[state], ns)
	}
	rest := s.states[procRunning]
	for _, t := range s.types {
		if t.typ == nil {
			continue
		}
		if at := slices.Index(named[:len(named)-1], t.typ.name); at >= 0 {
			put(&d.types[at], t.ns)
			rest -= t.ns
		}
	}
	put(&d.types[len(named)-1], rest)
}

// plain has the types first, then the states.
func (d *drawnLane) plain(named []string) (out traces.Lane) {
	for i, name := range named {
		if d.types[i] != nil {
			s := d.stretch(traces.ProcRunning, d.types[i])
			s.Goroutine = name
			out = append(out, s)
		}
	}
	for state := range procStates {
		if state != procRunning && d.states[state] != nil {
			out = append(out, d.stretch(state.String(), d.states[state]))
		}
	}
	return out
}

func (d *drawnLane) stretch(state string, column []int64) traces.Stretch {
	s := traces.Stretch{State: state}
	for i, ns := range column {
		s.Total += time.Duration(ns)
		s.Share = append(s.Share, thousandths(float64(ns), d.whole(i)))
	}
	s.Share = trimmed(s.Share)
	return s
}

// thousandths is a part of a whole.
func thousandths(part, whole float64) int {
	if whole <= 0 {
		return 0
	}
	return min(max(int(math.Round(1000*part/whole)), 0), 1000)
}

// trimmed leaves out the zeros at the end.
func trimmed(shares []int) []int {
	n := len(shares)
	for n > 0 && shares[n-1] == 0 {
		n--
	}
	return shares[:n:n]
}
