package diagnose

import (
	"testing"

	"github.com/gocasebook/casebook/casefile"
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
			cpu := cpuProfile(t, 10, map[string]int64{workStack: 60, otherStack: 7})
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
