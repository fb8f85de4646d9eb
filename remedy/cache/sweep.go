package cache

import "math"

// A sweeper walks over the records, some at every Set, and removes those that are past their deadline, so that they do
// not keep memory that nobody needs. It rests while nothing can be due.
type sweeper struct {
	id      int // of the segment
	g       *segment
	offset  int
	soonest int64 // no deadline of a record is earlier; 0: there is none
	pass    int64 // the earliest of those visited, or noticed, since the walk started again
}

const (
	sweepRecords = 4  // looked at in a step
	sweepSkips   = 16 // of free ids in a step
)

// noticed records the deadline of a new record.
func (w *sweeper) noticed(deadline int64) {
	if deadline != 0 {
		w.soonest = min(orEnd(w.soonest), deadline)
		w.pass = min(orEnd(w.pass), deadline)
	}
}

func orEnd(deadline int64) int64 {
	if deadline == 0 {
		return math.MaxInt64
	}
	return deadline
}

// due says whether a record can be past its deadline.
func (w *sweeper) due(grace, now int64) bool { return w.soonest != 0 && now-grace >= w.soonest }

// step looks at the next few records, if any can be past its deadline.
func (w *sweeper) step(s *shard, now int64) {
	if !w.due(s.grace, now) {
		return
	}
	for range sweepSkips {
		if w.segment(s) {
			break
		}
	}
	for range sweepRecords {
		if w.g == nil || w.g.gone || w.offset >= w.g.used {
			return
		}
		w.look(s, now)
	}
}

// segment makes sure that the walk is at a record. If it returns false it has to be called again.
func (w *sweeper) segment(s *shard) bool {
	if w.id >= len(s.dir.segments) {
		w.id, w.g, w.offset = 0, nil, 0
		w.soonest, w.pass = w.pass, 0
		return false
	}
	if g := s.dir.segments[w.id]; g != w.g {
		w.g, w.offset = g, 0
	}
	if w.g == nil || w.offset >= w.g.used {
		w.id++
		w.g = nil
		return false
	}
	return true
}

// look removes the record at the walk's position if it has expired, and goes to the next.
func (w *sweeper) look(s *shard, now int64) {
	p := s.dir.place(w.g, w.offset)
	r := s.dir.at(p)
	w.offset += r.words()
	header := r.header()
	d := deadlineOf(header)
	if d == 0 {
		return
	}
	if !s.expired(header, now) {
		w.pass = min(orEnd(w.pass), d)
		return
	}
	if at := s.index.Load().find(tagOf(s.hash(r.key())), p); at >= 0 {
		s.unlink(at, Expired)
	}
}

// all removes every record that is past its deadline.
func (w *sweeper) all(s *shard, now int64) {
	if !w.due(s.grace, now) {
		return
	}
	*w = sweeper{}
	for w.id < len(s.dir.segments) {
		if w.segment(s) {
			w.look(s, now)
		}
	}
	w.segment(s) // ends the pass
}
