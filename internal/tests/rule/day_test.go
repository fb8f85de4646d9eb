package rule_test

import (
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/race"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// TestDayInAMegabyte: what a watch remembers of one target fits into a megabyte: each second of the last ten minutes,
// and of the last day what the rules on hours need, which is 24 stretches of each length. TestSlowLeaks has the trips.
func TestDayInAMegabyte(t *testing.T) {
	race.Skip(t)
	const targets, most = 5, 1 << 20
	type memory struct {
		engine  *rule.Engine
		history *vitals.History
	}
	all := make([]memory, targets)
	before := heapInUse()
	for i := range all {
		e, err := rule.NewEngine(rule.Default(), nil)
		if err != nil {
			t.Fatal(err)
		}
		all[i] = memory{e, vitals.NewPackedHistory(601)}
	}
	r := rand.New(rand.NewPCG(7, 8))
	for i := 0; i < 24*3600; i += 60 { // a sample a minute, and at last one each second
		for k := range all {
			play(&all[k].history, all[k].engine, dayAt(i, r))
		}
	}
	for i := range 600 {
		for k := range all {
			play(&all[k].history, all[k].engine, dayAt(24*3600+i, r))
		}
	}
	each := (heapInUse() - before) / targets
	if t.Logf("%d KiB a target", each>>10); each > most {
		t.Errorf("%d bytes a target, want %d at most", each, most)
	}
	runtime.KeepAlive(all)
}

func play(h **vitals.History, e *rule.Engine, s vitals.Sample) {
	e.Step(&s, *h)
	(*h).Add(s)
}

// dayAt is a sample in which each signal has a value of its own that no packing makes small.
func dayAt(i int, r *rand.Rand) vitals.Sample {
	s := calm(i, r)
	s.Time = start.Add(time.Duration(i) * time.Second)
	for id := range vitals.ID(vitals.NumSignals) {
		if _, ok := s.Get(id); !ok {
			s.Set(id, 1+0.1*r.Float64())
		}
	}
	return s
}

func heapInUse() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
