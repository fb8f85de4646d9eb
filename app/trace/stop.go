package trace

import (
	xtrace "golang.org/x/exp/trace"
)

// stopTables are the stops of the world, by reason.
type stopTables struct {
	open    *openStop
	total   int64 // ns of finished ones
	reasons map[string]*stopTable
}

// A stopTable is all stops for one reason.
type stopTable struct {
	times, stopping durations
	longest         [3]int64 // falling
	late            map[lateKey]*durations
	by              map[*place]*durations // who asked
}

type lateKey struct {
	typ *goType
	at  *place
}

// An openStop is one that has begun.
type openStop struct {
	table   *stopTable
	start   int64
	at      *place        // of who asked
	left    []xtrace.GoID // goroutines that were running and have not stopped
	lastAt  int64
	last    lateKey
	running bool // somebody was
}

// maxLate and maxReasons bound the tables.
const (
	maxLate    = 200
	maxReasons = 50
)

func (s *stopTables) init() { s.reasons = make(map[string]*stopTable) }

// totalAt is for how long the world was stopped, or stopping, up to now.
func (s *stopTables) totalAt(now int64) int64 {
	if s.open != nil {
		return s.total + now - s.open.start
	}
	return s.total
}

func (s *stopTables) begin(reason string, now int64, running []*goroutine, by xtrace.GoID, at *place) {
	t := s.reasons[reason]
	if t == nil {
		if len(s.reasons) >= maxReasons {
			reason = othersName
		}
		t = &stopTable{late: make(map[lateKey]*durations), by: make(map[*place]*durations)}
		s.reasons[reason] = t
	}
	s.open = &openStop{table: t, start: now, at: at}
	for _, g := range running {
		if g.id != by {
			s.open.left = append(s.open.left, g.id)
		}
	}
}

// stopped takes that a goroutine has left its P. The last of those that ran when the stop was asked for was late.
func (s *stopTables) stopped(g *goroutine, at *place, now int64) {
	if s.open == nil {
		return
	}
	for i, id := range s.open.left {
		if id == g.id {
			s.open.left = append(s.open.left[:i], s.open.left[i+1:]...)
			s.open.running, s.open.lastAt, s.open.last = true, now, lateKey{g.typ, at}
			return
		}
	}
}

func (s *stopTables) end(now int64) {
	if s.open == nil {
		return
	}
	o := s.open
	s.open = nil
	s.total += now - o.start
	o.table.times.add(now - o.start)
	o.table.rank(now - o.start)
	count(o.table.by, o.at, now-o.start)
	if !o.running {
		return
	}
	took := o.lastAt - o.start
	o.table.stopping.add(took)
	count(o.table.late, o.last, took)
}

// rank keeps the longest.
func (t *stopTable) rank(took int64) {
	for i, known := range t.longest {
		if took > known {
			t.longest[i], took = took, known
		}
	}
}

// count adds to a table that has a bound.
func count[K comparable](table map[K]*durations, key K, ns int64) {
	d := table[key]
	if d == nil && len(table) >= maxLate {
		return
	}
	if d == nil {
		d = new(durations)
		table[key] = d
	}
	d.add(ns)
}
