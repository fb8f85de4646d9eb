package play

import (
	"testing"
	"time"

	"github.com/gocasebook/casebook/diagnose/traces"
)

// TestPhases: of a trace from 0.5 s to 4.2 s the periods of a second from 1 to 4 are whole. The first mark phase of
// each is told from the others; what began before or after them does not count.
func TestPhases(t *testing.T) {
	const ms = time.Millisecond
	cycle := func(at time.Duration, assisting int64, delay time.Duration) traces.Cycle {
		return traces.Cycle{At: at - 500*ms, Took: 10 * ms, Assisting: assisting, Delay: delay}
	}
	s := &traces.Summary{Start: time.Unix(100, 0).Add(500 * ms), Span: 3700 * ms, GC: traces.GC{Cycles: []traces.Cycle{
		cycle(600*ms, 99, time.Second),
		cycle(1020*ms, 30, 60*ms), cycle(1500*ms, 1, 2*ms), cycle(1800*ms, 0, 0),
		cycle(2020*ms, 40, 80*ms), cycle(2700*ms, 2, 3*ms),
		cycle(3990*ms, 20, 40*ms),
		cycle(4010*ms, 99, time.Second),
	}}, Kinds: []traces.Kind{{Name: "net/http client", Marking: traces.Times{Count: 1, Total: time.Hour}},
		{Name: "net/http server", Marking: traces.Times{Count: 2, Total: 60 * ms},
			Between: traces.Times{Count: 4, Total: 8 * ms}}}}
	got := phasesOf(s, time.Second)
	want := Phases{3, Phase{3, 30, 0.06}, Phase{3, 1, 0.002}, 0.03, 0.002}
	if got != want {
		t.Errorf("phases %+v, want %+v", got, want)
	}
	if text := got.text(1); text != "6 mark phases in 3 periods of 1 s, in the first of a period 30 goroutines had to "+
		"mark, delayed by 60 ms in all, in the others 1 goroutine had to mark, delayed by 2 ms in all; a "+
		"request beside a phase took 30 ms in the mean, another one 2 ms" {
		t.Error(text)
	}
	if got := phasesOf(&traces.Summary{Span: time.Millisecond}, time.Second); got != (Phases{}) {
		t.Errorf("of a trace without a whole period: %+v", got)
	}
}
