package terminal

import (
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/diagnose/traces"
)

// TestOverTime: a queue that is there for a tenth of the time is seen, in 80 columns; none is not printed.
func TestOverTime(t *testing.T) {
	slots := make([]traces.Slot, 120)
	for i := range slots {
		slots[i].Busy = 1
		if i >= 60 && i < 72 {
			slots[i] = traces.Slot{Waiting: 40, Busy: 2, Marking: 0.5}
		}
	}
	print := func(slots []traces.Slot) string {
		var out strings.Builder
		tables := traceTables{&Printer{W: &out, Width: 80}, &traces.Summary{Procs: 2,
			Use: traces.Use{Step: 10 * time.Millisecond, Timeline: slots}}, 8}
		tables.overTime()
		return out.String()
	}
	want := "Over time, 30 ms a column:\n" +
		"  waiting  " + strings.Repeat(" ", 20) + "████" + strings.Repeat(" ", 16) + "  to 40\n" +
		"  busy     " + strings.Repeat("▄", 20) + "████" + strings.Repeat("▄", 16) + "  of 2\n" +
		"  marking  " + strings.Repeat(" ", 20) + "▄▄▄▄\n"
	if got := print(slots); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := print(make([]traces.Slot, 120)); got != "" {
		t.Errorf("nobody waited: %s", got)
	}
}
