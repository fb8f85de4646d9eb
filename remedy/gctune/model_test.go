package gctune

import (
	"sync"
	"testing"
	"time"
)

// A model is a Go process in a cgroup, as far as the decider sees it: the heap grows, collections start when the
// runtime would start them, and their CPU is the cost of marking the live heap. It is simple on purpose: what it leaves
// out (pacing, assists, fragmentation) is tested with real processes.
type model struct {
	mu       sync.Mutex // for tests in which a tuner runs
	limit    int64      // of the cgroup
	live     int64
	garbage  int64
	others   int64
	overhead int64

	gogc     int
	goLimit  int64
	cycles   uint64
	gcCPU    float64
	cpu      float64
	at       time.Duration
	marked   int64 // live at the last cycle
	overTick int   // ticks above the target
	peak     int64
	debt     float64 // GC CPU seconds that did not fit into the time
}

const (
	modelProcs = 2
	modelMark  = 1 << 30 // bytes of live heap that one CPU marks in a second
)

func newModel(limit int64) *model {
	return &model{limit: limit, overhead: 6 << 20, gogc: 100, goLimit: noLimit}
}

// goal is the heap at which the runtime collects.
func (m *model) goal() int64 {
	goal := max(m.marked*int64(m.gogc)/100+m.marked, 4<<20*int64(m.gogc)/100)
	if m.goLimit < noLimit {
		goal = min(goal, (m.goLimit-m.overhead)/100*97)
	}
	return max(goal, m.marked)
}

// pass lets time pass, in steps of 1 ms, while this many bytes are allocated per second.
func (m *model) pass(d time.Duration, allocate int64) {
	for end := m.at + d; m.at < end; m.at += time.Millisecond {
		m.garbage += allocate / 1000
		m.cpu += modelProcs * 0.001
		m.debt = max(m.debt-modelProcs*0.001/2, 0) // the runtime's limiter: at most half of the CPU collects
		if m.heap() >= m.goal() && m.debt == 0 && allocate > 0 {
			m.collect()
		}
		m.peak = max(m.peak, m.used())
	}
}

func (m *model) collect() {
	cost := float64(m.live)/modelMark + 0.0005
	m.garbage, m.marked = 0, m.live
	m.cycles++
	m.gcCPU += cost
	m.debt += cost
}

func (m *model) heap() int64 { return m.live + m.garbage }
func (m *model) used() int64 { return m.heap() + m.overhead + m.others }

func (m *model) reading() reading {
	return reading{
		at: m.at, bounds: []bound{{"model", m.limit, m.used()}}, mapped: m.heap() + m.overhead, heap: m.heap(),
		live:   m.marked,
		cycles: m.cycles, gcCPU: m.gcCPU, cpu: m.cpu, gogc: m.gogc, goLimit: m.goLimit,
	}
}

// tick is one look of the tuner.
func (m *model) tick(d *decider) decision {
	r := m.reading()
	got := d.decide(&r)
	m.gogc, m.goLimit = got.gogc, got.limit
	if got.collect {
		m.collect()
	}
	if got.over {
		m.overTick++
	}
	return got
}

func newDecider(t testing.TB, cfg Config) *decider {
	t.Helper()
	cfg, err := cfg.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	return &decider{cfg: cfg}
}

const mb = 1 << 20
