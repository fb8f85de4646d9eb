//go:build unix

package recorder

import (
	"bytes"
	"runtime"
	"runtime/trace"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/cputime"
)

// The modes of BenchmarkTraceCost.
const (
	modeOff = iota
	modeWindows
	modeTrace
	numModes
)

// BenchmarkTraceCost prints what recording costs each load, and what load.estimated says. The modes are measured in
// turns, off, windows, trace, trace, windows, off, for 1 s each, so that a change in the machine's speed affects them
// all:
//
//	off-ns      CPU time of doing it once, with no recorder
//	windows-ns  what CPU windows add to that
//	trace-ns    what the flight recorder adds
//	est-ns      what it should add by the estimate, from the events counted while it was off
//	est-cpu-%   the estimate as it is held against TraceConfig.MaxCost, a share of the process's CPU: above 1 the
//	            recorder is off, or armed up to 5
//	kB/s        what the flight recorder's ring takes
//	est-kB/s    what it should take, from the events counted while it was on
//
// The prices in estimate.go come from it. Give it -benchtime 6x and a quiet machine.
func BenchmarkTraceCost(b *testing.B) {
	for _, l := range testLoads {
		b.Run("load="+l.name, func(b *testing.B) {
			m := measurement{once: l.start(b)}
			ballast := make([]byte, 128<<20) // so that the ring does not change how often the collector runs
			for m.once(); b.Loop(); {
				for _, mode := range []int{modeOff, modeWindows, modeTrace, modeTrace, modeWindows, modeOff} {
					m.run(b, mode)
				}
			}
			runtime.KeepAlive(ballast)
			m.report(b)
		})
	}
}

// A measurement sums up what a load used in each mode.
type measurement struct {
	once  func()
	modes [numModes]struct {
		cpu, wall time.Duration
		times     int
		est       estimate // the sum of one for each run
	}
	runs  float64 // of each mode
	bytes int     // of the flight recorder's ring
}

// run does the load for a second.
func (m *measurement) run(b *testing.B, mode int) {
	ring := trace.NewFlightRecorder(trace.FlightRecorderConfig{MinAge: time.Minute, MaxBytes: 1 << 30})
	switch mode {
	case modeOff:
		m.runs++
	case modeWindows:
		_, stop := runReal(b, CPUConfig{})
		defer stop()
	case modeTrace:
		if err := ring.Start(); err != nil {
			b.Fatal(err)
		}
		defer ring.Stop()
	}
	runtime.GC()
	r := newLoadReader()
	defer r.close()
	s := &m.modes[mode]
	began := time.Now()
	r.read(began)
	cpu, _ := cputime.Process()
	for ; time.Since(began) < time.Second; s.times++ {
		m.once()
	}
	after, _ := cputime.Process()
	l, _ := r.read(time.Now())
	e := l.estimated()
	s.cpu, s.wall = s.cpu+after-cpu, s.wall+time.Since(began)
	s.est = estimate{cpu: s.est.cpu + e.cpu, bytes: s.est.bytes + e.bytes, used: s.est.used + e.used}
	if mode == modeTrace {
		var out bytes.Buffer
		if _, err := ring.WriteTo(&out); err != nil {
			b.Fatal(err)
		}
		m.bytes += out.Len()
	}
}

func (m *measurement) report(b *testing.B) {
	each := func(mode int) float64 {
		return float64(m.modes[mode].cpu.Nanoseconds()) / float64(m.modes[mode].times)
	}
	o := &m.modes[modeOff]
	mean := estimate{cpu: o.est.cpu / m.runs, used: o.est.used / m.runs}
	perSecond := float64(o.times) / o.wall.Seconds()
	b.ReportMetric(each(modeOff), "off-ns")
	b.ReportMetric(each(modeWindows)-each(modeOff), "windows-ns")
	b.ReportMetric(each(modeTrace)-each(modeOff), "trace-ns")
	b.ReportMetric(mean.cpu/perSecond*1e9, "est-ns")
	b.ReportMetric(100*mean.share(), "est-cpu-%")
	b.ReportMetric(float64(m.bytes)/m.modes[modeTrace].wall.Seconds()/1e3, "kB/s")
	b.ReportMetric(m.modes[modeTrace].est.bytes/m.runs/1e3, "est-kB/s")
	b.ReportMetric(0, "ns/op") // of six modes together: meaningless
}
