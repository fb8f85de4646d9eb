package diagnose

import (
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/vitals"
)

// TestStarved: a process that gets less CPU than it wants is not idle. One that wants none is idle, however busy the
// others are.
func TestStarved(t *testing.T) {
	const at = "main.work:7 " + conn
	for _, tt := range []struct {
		name    string
		ready   int // goroutines of the dump that could run
		sample  map[vitals.ID]float64
		starved bool
	}{
		{"many could run on a busy machine", 240, map[vitals.ID]float64{vitals.CPUPressure: 0.98}, true},
		{"it answers late on a busy machine", 2, map[vitals.ID]float64{vitals.CPUPressure: 0.98, vitals.ProbeTime: 1.7},
			true},
		{"it does not answer on a busy machine", 2, map[vitals.ID]float64{vitals.CPUPressure: 0.98,
			vitals.Unanswered: 9}, true},
		{"an idle process beside busy ones", 2, map[vitals.ID]float64{vitals.CPUPressure: 0.98, vitals.ProbeTime: 0.02},
			false},
		{"a burst of requests", 47, map[vitals.ID]float64{vitals.CPUPressure: 0.55, vitals.ProbeTime: 0.01}, false},
		{"many could run, and nobody waits for the CPU", 240, map[vitals.ID]float64{vitals.CPUPressure: 0.1}, false},
		{"it hangs on a quiet machine", 2, map[vitals.ID]float64{vitals.CPUPressure: 0.02, vitals.Unanswered: 30},
			false},
		{"nobody knows of the pressure", 240, map[vitals.ID]float64{vitals.ProbeTime: 3}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cpu := cpuProfile(t, 10, map[string]int64{workStack: 34, otherStack: 33}) // no line has most
			dump := Evidence{Name: "goroutines.txt", Kind: casefile.GoroutineDump, Taken: noon,
				Data: dumpOf(crowd{tt.ready, "runnable", at, ""})}
			r, _ := read(t.Context(), Input{Evidence: []Evidence{cpu, dump}, Limits: casefile.Limits{CPUs: 2}})
			s := vitals.Sample{Time: r.Latest(casefile.CPU).Taken}
			for id, v := range tt.sample {
				s.Set(id, v)
			}
			r.Vitals = append(r.Vitals, s)
			v := newCPUView(r)
			if got := v.level.starved; (got != "") != tt.starved {
				t.Errorf("starved by %q, want a sign: %v", got, tt.starved)
			}
			if v.enough() != tt.starved || v.level.light() == tt.starved {
				t.Errorf("67 samples are enough: %v, light use: %v; want %v and %v", v.enough(), v.level.light(),
					tt.starved, !tt.starved)
			}
		})
	}
}

// The recordings on a crowded machine are testdata/traces/crowded_*; those with a queue of their own are sched_*.
func TestStalledTrace(t *testing.T) {
	at := func(file string) traces.Stack { return traces.Stack{{Function: "f", File: file}} }
	for _, tt := range []struct {
		name    string
		longest time.Duration
		stack   traces.Stack
		wait    time.Duration
		stalled bool
	}{
		{"preempted in time", 29 * time.Millisecond, at("main.go"), 60 * time.Millisecond, false},
		{"off its CPU", 58 * time.Millisecond, at("main.go"), 110 * time.Millisecond, true},
		{"it ended by itself", 58 * time.Millisecond, nil, 110 * time.Millisecond, true},
		{"a queue besides", 58 * time.Millisecond, at("main.go"), 400 * time.Millisecond, false},
		{"copies in assembler", 300 * time.Millisecond, at("memmove_amd64.s"), 310 * time.Millisecond, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &traces.Summary{Goroutines: []traces.GoroutineType{{Name: "main.work",
				Runs: traces.Times{Count: 100, Max: tt.longest}, RunsStack: tt.stack}}}
			if why := stalledTrace(s, tt.wait); (why != "") != tt.stalled {
				t.Errorf("%q, want a reason: %t", why, tt.stalled)
			}
		})
	}
}
