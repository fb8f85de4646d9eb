package stage

import (
	"math"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/app/prove"
)

// What a form collects during the other's turn, garbage that its own turn left behind, counts for its next turn. The
// time does not.
func TestCollectedBetweenTurns(t *testing.T) {
	at := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	began := time.Unix(1000, 0)
	p := &probe{}
	for _, r := range []struct{ wall, clock, spent, count float64 }{
		{-4, 0, 1, 1},  // before the first turn, which begins at 0: of the 6 seconds to the next, 2 are the turn's
		{2, 2, 4, 7},   //
		{2.5, 2, 5, 8}, // after the first turn, which ended at 2
		{9, 4, 6, 10},  // in the second, which began at 7
	} {
		p.collect(collected{began.Add(at(r.wall)), at(r.clock), r.spent, r.count})
	}
	want := []cycles{{0, at(2), 3.0 / 6, 6 * 2.0 / 6}, {at(2), at(4), (6 - 4) / 2.0, 3}}
	if len(p.cycles) != len(want) {
		t.Fatalf("cycles %v", p.cycles)
	}
	for i, c := range p.cycles {
		if w := want[i]; c.from != w.from || c.to != w.to || math.Abs(c.share-w.share) > 1e-9 ||
			math.Abs(c.count-w.count) > 1e-9 {
			t.Errorf("cycles %d: %+v, want %+v", i, c, w)
		}
	}
}

func TestStopwatch(t *testing.T) {
	began := time.Unix(1000, 0)
	at := func(s int) time.Time { return began.Add(time.Duration(s) * time.Second) }
	w := stopwatch{ran: []ran{{at(0), at(2)}, {at(5), at(6)}}, since: at(10)}
	for s, want := range map[int]time.Duration{-1: 0, 0: 0, 1: 1, 2: 2, 4: 2, 5: 2, 6: 3, 9: 3, 10: 3, 12: 5} {
		if got := w.at(at(s)); got != want*time.Second {
			t.Errorf("after %d s it shows %v, want %v", s, got, want*time.Second)
		}
	}
}

func TestGCOfARound(t *testing.T) {
	at := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	p := &probe{cycles: []cycles{{at(0), at(4), 0.2, 8}, {at(4), at(10), 0.5, 3}}}
	for _, c := range []struct {
		name     string
		from, to float64
		want     float64
		rate     float64
		known    bool
	}{
		{"inside one cycle", 1, 3, 0.2, 2, true},
		{"over the end of a cycle, by time", 3, 7, (1*0.2 + 3*0.5) / 4, (1*2 + 3*0.5) / 4, true},
		{"all of it", 0, 10, (4*0.2 + 6*0.5) / 10, 1.1, true},
		{"the last cycle ended before it", 11, 12, 0, 0, false},
		{"the last cycle ended within it", 9, 11, 0, 0, false},
		{"before the first", -2, 1, 0, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, rate, known := p.gc(span{at(c.from), at(c.to)})
			if known != c.known || math.Abs(got-c.want) > 1e-9 || math.Abs(rate-c.rate) > 1e-9 {
				t.Errorf("share %g, %g cycles/s, known %v; want %g, %g, %v", got, rate, known, c.want, c.rate, c.known)
			}
		})
	}
}

// TestPauses: of the stops of the world those since the round before count, and none from before the first reading.
func TestPauses(t *testing.T) {
	p := &probe{}
	read := func(ends ...uint64) {
		var m child.MemStats
		for i, end := range ends {
			m.PauseEnd[i], m.PauseNs[i] = end, end*1e6 // the stop that ended at 5 took 5 ms
		}
		p.pause(&m)
	}
	r := prove.Round{}
	read(9, 3)
	p.round(r)
	if _, ok := r[prove.GCPause]; ok {
		t.Errorf("the stops of the start count: %v", r)
	}
	read(9, 12, 10) // as in the ring, where the newest overwrite the oldest
	read(9, 12, 11)
	p.round(r)
	if got := r[prove.GCPause]; got != 0.012 {
		t.Errorf("the longest of the stops that ended at 10 and 12: %v s, want 0.012", got)
	}
	next := prove.Round{}
	p.round(next)
	if _, ok := next[prove.GCPause]; ok {
		t.Errorf("a round without a stop has one: %v", next)
	}
}
