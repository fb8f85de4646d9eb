package terminal

import (
	"fmt"
	"strings"
	"time"

	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/internal/number"
)

// bars are eighths of a line's height; more than nothing is at least the lowest.
var bars = [...]rune{' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'}

// timeColumns is how many steps of time fit on a line of 80 columns, beside its label and its highest value.
const timeColumns = 52

// overTime prints when goroutines waited for a processor, when processors were busy, and when the collector marked: a
// mean hides a queue that is there for a tenth of the time. Where fewer than one ever waited there is nothing to see.
func (t *traceTables) overTime() {
	per := (len(t.Use.Timeline) + timeColumns - 1) / timeColumns
	waiting := perColumn(t.Use.Timeline, per, func(s traces.Slot) float64 { return s.Waiting })
	most := highest(waiting)
	if len(waiting) < 2 || most < 1 {
		return
	}
	fmt.Fprintf(t.W, "Over time, %s a column:\n", took(t.Use.Step*time.Duration(per)))
	fmt.Fprintf(t.W, "  waiting  %s  to %s\n", barsOf(waiting, most), number.Digits(most))
	busy := perColumn(t.Use.Timeline, per, func(s traces.Slot) float64 { return s.Busy })
	fmt.Fprintf(t.W, "  busy     %s  of %d\n", barsOf(busy, float64(max(t.Procs, 1))), t.Procs)
	marking := perColumn(t.Use.Timeline, per, func(s traces.Slot) float64 { return s.Marking })
	if highest(marking) > 0 {
		fmt.Fprintf(t.W, "  marking  %s\n", strings.TrimRight(barsOf(marking, 1), " "))
	}
}

// perColumn is the mean of so many slots for each column.
func perColumn(slots []traces.Slot, per int, of func(traces.Slot) float64) (out []float64) {
	for i := 0; i < len(slots); i += per {
		sum, n := 0.0, 0
		for _, s := range slots[i:min(i+per, len(slots))] {
			sum += of(s)
			n++
		}
		out = append(out, sum/float64(n))
	}
	return out
}

func highest(values []float64) (most float64) {
	for _, v := range values {
		most = max(most, v)
	}
	return most
}

// barsOf draws values of which one as high as full fills its line.
func barsOf(values []float64, full float64) string {
	out := make([]rune, len(values))
	for i, v := range values {
		eighths := int(v/full*8 + 0.5)
		if v > 0 {
			eighths = max(eighths, 1)
		}
		out[i] = bars[min(max(eighths, 0), 8)]
	}
	return string(out)
}
