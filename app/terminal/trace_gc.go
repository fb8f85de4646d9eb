package terminal

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/internal/number"
)

func (t *traceTables) collector() {
	g := t.GC
	if g.Marks.Count == 0 && g.AssistDelay.Count == 0 {
		return
	}
	t.head("Collector")
	t.row("mark phases", g.Marks)
	var workers time.Duration
	for _, d := range g.Workers {
		workers += d
	}
	t.note(fmt.Sprintf("marking %s of the time; workers %s of CPU, assists %s; heap goal %s",
		share(g.Marks.Total, t.Span), took(workers), took(g.AssistCPU), number.Bytes(float64(g.HeapGoal))))
	if g.AssistDelay.Count > 0 {
		t.row("assists, as delay", g.AssistDelay)
	}
	for _, a := range g.Assists[:min(3, len(g.Assists))] {
		t.row("  "+placeText(a.Stack), a.Times)
	}
	t.cycles()
}

// cycles prints the mark phases in which goroutines had to mark for the longest time, in their order: what a burst of
// allocations does to the phase that meets it, and not to the others, no mean shows.
func (t *traceTables) cycles() {
	all := slices.DeleteFunc(slices.Clone(t.GC.Cycles), func(c traces.Cycle) bool { return c.Assisting == 0 })
	if len(all) == 0 {
		return
	}
	slices.SortStableFunc(all, func(a, b traces.Cycle) int { return cmp.Compare(b.Delay, a.Delay) })
	most := all[:min(t.rows, len(all))]
	slices.SortFunc(most, func(a, b traces.Cycle) int { return cmp.Compare(a.At, b.At) })
	fmt.Fprintf(t.W, "\n%-33s%7s%8s%16s%16s\n", "Mark phases with assists", "number", "took", "delay in all",
		"longest delay")
	for _, c := range most {
		fmt.Fprintf(t.W, "%-33s%7s%8s%16s%16s\n", t.moment(c.At), number.Count(float64(c.Assisting)),
			took(c.Took), took(c.Delay), took(c.Longest))
	}
	t.note(t.othersText(all, most))
}

// moment is a time of the trace, with the time of the day if that is known.
func (t *traceTables) moment(at time.Duration) string {
	text := "at " + took(at)
	if !t.Start.IsZero() {
		text += t.Start.Add(at).UTC().Format(", 15:04:05.000 UTC")
	}
	return text
}

// othersText says what the phases that are not printed were.
func (t *traceTables) othersText(all, most []traces.Cycle) string {
	text := fmt.Sprintf("the longest delays, %d of %s", len(most), number.Things(int64(len(t.GC.Cycles)), "phase"))
	if rest := len(t.GC.Cycles) - len(all); rest > 0 {
		text += fmt.Sprintf("; in %s no goroutine had to mark", number.Count(float64(rest)))
	}
	return text
}
