package trace

import (
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"testing"
	"time"

	xtrace "golang.org/x/exp/trace"

	"github.com/gocasebook/casebook/diagnose/traces"
)

// totals are the time of lanes by state, and by the type that ran.
func totals(l *traces.Lanes) (states, types map[string]time.Duration) {
	states, types = make(map[string]time.Duration), make(map[string]time.Duration)
	for _, lane := range l.Procs {
		for _, st := range lane {
			states[st.State] += st.Total
			if st.State == traces.ProcRunning {
				types[st.Goroutine] += st.Total
			}
		}
	}
	return states, types
}

// wantWhole fails where the shares of a step do not add up.
func wantWhole(t *testing.T, what string, lane traces.Lane, steps int) {
	t.Helper()
	for i := range steps {
		sum := 0
		for _, st := range lane {
			if i < len(st.Share) {
				sum += st.Share[i]
			}
		}
		if off := sum - 1000; off > len(lane) || -off > len(lane) {
			t.Errorf("%s: the shares of step %d add up to %d thousandths", what, i, sum)
			return
		}
	}
}

// about fails where two times of one trace differ by more than rounding.
func about(t *testing.T, what string, got, want time.Duration) {
	t.Helper()
	if (got - want).Abs() > want/1000+time.Microsecond {
		t.Errorf("%s: %v in the lanes, %v in the tables", what, got, want)
	}
}

// The lanes are the same time as the tables have, of traces of all releases.
func TestLanesOfReleases(t *testing.T) {
	for release, data := range recorded(t) {
		t.Run(release, func(t *testing.T) {
			s := summaryOf(t, data)
			if s.Lanes == nil || s.Lanes.Group != 1 || len(s.Lanes.Procs) != s.Procs {
				t.Fatalf("lanes %+v of %d Ps", s.Lanes, s.Procs)
			}
			steps := int((s.Span + s.Lanes.Step - 1) / s.Lanes.Step)
			if steps > laneSlots || steps <= laneSlots/2 {
				t.Errorf("%d steps of %v over %v", steps, s.Lanes.Step, s.Span)
			}
			for i, lane := range s.Lanes.Procs {
				wantWhole(t, fmt.Sprint("P ", i), lane, steps)
			}
			states, _ := totals(s.Lanes)
			idle := states[traces.ProcIdle] + states[traces.ProcStopped]
			about(t, "idle", idle, s.Use.Idle)
			all := time.Duration(0)
			for _, d := range states {
				all += d
			}
			about(t, "busy", all-idle, s.Use.Busy)
			var ran time.Duration
			for _, g := range s.Goroutines {
				ran += g.Spent.Running + g.Spent.Assist
			}
			on := states[traces.ProcRunning] + states[traces.ProcAssist] + states[traces.ProcCollector]
			about(t, "goroutines", on, ran)
			var stops time.Duration
			for _, stop := range s.Stops {
				stops += stop.Times.Total
			}
			// While the world is stopped, the P of who asked for it runs, and another may until it stops.
			most := stops * time.Duration(s.Procs)
			if got := states[traces.ProcStopped]; got < stops/2 || got > most {
				t.Errorf("%d Ps were stopped for %v, and the world for %v", s.Procs, got, stops)
			}
		})
	}
}

// The courses of the slowest requests are the time that they spent.
func TestCoursesOfReleases(t *testing.T) {
	for release, data := range recorded(t) {
		t.Run(release, func(t *testing.T) {
			drawn := 0
			var slowest, shortest time.Duration
			s := summaryOf(t, data)
			for _, r := range s.Slowest {
				if r.Course == nil {
					if r.Kind == "net/http server" {
						slowest = max(slowest, r.Took)
					}
					continue
				}
				drawn++
				if shortest == 0 || r.Took < shortest {
					shortest = r.Took
				}
				if r.Kind != "net/http server" {
					t.Errorf("%s of %v has a course", r.Kind, r.Took)
				}
				wantWhole(t, r.Kind, r.Course.States, int((r.Took+r.Course.Step-1)/r.Course.Step))
				got := make(map[string]time.Duration)
				for _, st := range r.Course.States {
					got[st.State] += st.Total
				}
				about(t, "on a P", got["running"]+got["assist"], r.Spent.Running+r.Spent.Assist)
				about(t, "runnable", got["runnable"], r.Spent.Runnable)
				about(t, "system calls", got["syscall"], r.Spent.Syscall)
				about(t, "network", got["network"], r.Spent.Network)
				about(t, "lock", got["lock"], r.Spent.Lock)
				about(t, "channel", got["channel"], r.Spent.Channel)
				about(t, "sleep", got["sleep"], r.Spent.Sleep)
			}
			if drawn != maxCourses || slowest > shortest {
				t.Errorf("%d courses, want %d; without one is a request of %v, with one of %v", drawn, maxCourses,
					slowest, shortest)
			}
		})
	}
}

// What a program does is in the lanes: its own work, the collector, nothing.
func TestPlantedLanes(t *testing.T) {
	s := record(t, func() {
		spin(20 * time.Millisecond)
		runtime.GC()
		time.Sleep(20 * time.Millisecond)
	})
	states, types := totals(s.Lanes)
	if states[traces.ProcCollector] == 0 {
		t.Errorf("the collector does not show: %v", states)
	}
	if states[traces.ProcIdle] < 10*time.Millisecond && len(s.Lanes.Procs) > 1 {
		t.Errorf("idle for %v in all, although the program slept", states[traces.ProcIdle])
	}
	for _, g := range s.Goroutines {
		if g.Name == "testing.tRunner" {
			about(t, "this test", types[g.Name], g.Spent.Running)
			return
		}
	}
	t.Errorf("this test is in no table; in the lanes are %v", types)
}

func spin(d time.Duration) {
	for start := time.Now(); time.Since(start) < d; {
	}
}

// However long a trace is and however many Ps it has, nothing of the time is lost.
func TestLanesAreBounded(t *testing.T) {
	var l lanes
	l.begin(1000)
	types := make([]*goType, 40)
	for i := range types {
		types[i] = &goType{name: fmt.Sprint("main.f", i)}
	}
	const procs, step = 100, int64(3e6)
	l.know(procs)
	now := int64(1000)
	for n := range 2000 {
		now += step
		for id := range procs {
			g := &goroutine{typ: types[(n+id)%len(types)], bucket: running, proc: noProc}
			if id == 7 {
				g.typ = types[0]
			}
			switch n % 4 {
			case 0:
				l.transition(asProc(id), true, now, false)
			case 1:
				l.runs(asProc(id), g, now)
			case 2:
				l.stops(l.procs[id].g, now)
			case 3:
				l.transition(asProc(id), false, now, false)
			}
		}
	}
	l.rest(now, false)
	out := l.plain()
	if len(out.Procs) > maxLanes || out.Group != 4 || len(out.Procs) != 25 {
		t.Fatalf("%d lanes of %d Ps", len(out.Procs), out.Group)
	}
	steps := int((now - 1000 + int64(out.Step) - 1) / int64(out.Step))
	if steps > laneSlots {
		t.Errorf("%d steps", steps)
	}
	for i, lane := range out.Procs {
		wantWhole(t, fmt.Sprint("lane ", i), lane, steps)
		if len(lane) > laneTypes+1+int(procStates) {
			t.Errorf("lane %d has %d states", i, len(lane))
		}
	}
	text, err := json.Marshal(out)
	if most := 500 << 10; err != nil || len(text) > most {
		t.Errorf("%d bytes of JSON (%v), want %d at most", len(text), err, most)
	}
	t.Logf("%d Ps in %d steps are %d bytes of JSON", procs, steps, len(text))
	states, ran := totals(out)
	want := procs * 500 * time.Duration(step)
	if states[traces.ProcRunning] != want || states[traces.ProcScheduler] != 2*want || states[traces.ProcIdle] != want {
		t.Errorf("%v, want %v running, twice that looking for work, and the same idle", states, want)
	}
	if ran["main.f0"] < 500*time.Duration(step) || ran[traces.OtherGoroutines] == 0 {
		t.Errorf("by type: %v; want all that P 7 ran in main.f0, and others", ran)
	}
}

// A course of any number of changes keeps the time of each state, and its order.
func TestCourseIsBounded(t *testing.T) {
	for _, changes := range []int{1, 10, maxSpans, maxSpans + 1, 1000, 20_000} {
		var c course
		c.begin(500)
		want := make(map[string]int64)
		now := int64(500)
		for n := range changes {
			b := []bucket{running, lock, network}[n%3]
			if n >= changes/2 {
				b = []bucket{runnable, syscalling}[n%2]
			}
			took := int64(1 + n*7919%4001)
			c.add(now, now+took, b)
			c.add(now, now+took, b) // told twice, as by replay and enter
			want[b.String()] += took
			now += took
		}
		out := c.plain()
		steps := int((now - 500 + int64(out.Step) - 1) / int64(out.Step))
		if steps > courseSteps {
			t.Errorf("%d changes: %d steps", changes, steps)
		}
		wantWhole(t, fmt.Sprint(changes, " changes"), out.States, steps)
		for _, st := range out.States {
			if got := int64(st.Total); math.Abs(float64(got-want[st.State])) > 1e-4*float64(want[st.State])+2 {
				t.Errorf("%d changes: %s for %d ns, want %d", changes, st.State, got, want[st.State])
			}
			late := st.State == "runnable" || st.State == "syscall"
			if half := len(st.Share) <= steps*3/5; changes > 10 && half == late {
				t.Errorf("%d changes: %s until step %d of %d", changes, st.State, len(st.Share), steps)
			}
		}
	}
}

func asProc(id int) xtrace.ProcID { return xtrace.ProcID(id) }
