package gctune

import (
	"testing"
	"time"
)

// BenchmarkIdle is what a tuner costs a process in which nothing happens: one look, ten times a second. It also prints
// the share of a core that this is.
func BenchmarkIdle(b *testing.B) {
	cfg, err := (Config{Limit: 1 << 30}).withDefaults()
	if err != nil {
		b.Fatal(err)
	}
	tuner := &Tuner{cfg: cfg, hand: runtimeHand()}
	set := settingsNow()
	tuner.hand.setGOGC = func(v int) { set.gogc = v } // the benchmark's own collector stays as it is
	tuner.hand.setLimit = func(v int64) { set.limit = v }
	s, err := openSensor(cfg)
	if err != nil {
		b.Fatal(err)
	}
	defer s.close()
	read := s.read
	s.read = func(r *reading) error {
		err := read(r)
		r.gogc, r.goLimit = set.gogc, set.limit
		return err
	}
	l := &loop{tuner: tuner, sensor: s, d: decider{cfg: cfg}}
	if err := l.begin(); err != nil {
		b.Fatal(err)
	}
	if err := l.look(); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := l.look(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(100*float64(b.Elapsed())/float64(b.N)/float64(cfg.Interval), "%-of-a-core")
}

// BenchmarkDecide is the decision alone.
func BenchmarkDecide(b *testing.B) {
	d, m := newDecider(b, Config{}), newModel(1000*mb)
	r := m.reading()
	b.ReportAllocs()
	for b.Loop() {
		r.at += 100 * time.Millisecond
		d.decide(&r)
	}
}
