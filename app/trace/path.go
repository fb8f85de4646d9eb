package trace

import (
	xtrace "golang.org/x/exp/trace"
)

// A critical path is found as follows. Each goroutine remembers its last steps. When a goroutine that is inside of a
// region has waited and another one ends that wait, what the other one did meanwhile is why it took so long: its steps
// go into the region's path one level deeper, and in the same way what it waited for itself. The path is added up by
// state and place, because a slow request repeats itself.

// A step is what a goroutine did for some time.
type step struct {
	start, end int64
	bucket     bucket
	at         *place
	waker      xtrace.GoID // that ended it; NoGoroutine: the runtime, or it was no wait
	wakerAt    *place
}

// A stay is all time of a region in one state at one place, of one goroutine type at one depth.
type stay struct {
	depth   int
	typ     *goType
	bucket  bucket
	at      *place
	wakerAt *place // of the longest wait
	took    int64
	longest int64
}

const (
	recentSteps = 16 // a goroutine remembers
	maxDepths   = 4  // of a path
	maxStays    = 48 // of a path; more are left out
	// A wait is followed into who ended it if it is a large part of what the slowest took so far: others would not be
	// shown.
	followed = 16
)

// remember ends a goroutine's step. waker ended it, at wakerAt; nil if nobody did.
func (c *tables) remember(g *goroutine, waker *goroutine, wakerAt *place) {
	s := step{start: g.since, end: c.now, bucket: g.bucket, at: g.at, waker: xtrace.NoGoroutine, wakerAt: wakerAt}
	if waker != nil {
		s.waker = waker.id
	}
	g.push(s)
	for _, r := range g.regions {
		r.waited = r.waited || g.bucket == network || g.bucket == channel || g.bucket == selecting
	}
	if len(g.regions) > 0 {
		c.follow(g.regions[0], g, &s)
	}
}

func (g *goroutine) push(s step) {
	if len(g.recent) < recentSteps {
		g.recent = append(g.recent, s)
		return
	}
	g.recent[g.recentAt] = s
	g.recentAt = (g.recentAt + 1) % recentSteps
}

// steps calls f with the steps that a goroutine remembers, the oldest first.
func (g *goroutine) steps(f func(*step)) {
	for i := range g.recent {
		f(&g.recent[(g.recentAt+i)%len(g.recent)])
	}
}

// replay gives a region what its goroutine did since the region's start, which is in the past.
func (c *tables) replay(g *goroutine, r *region) {
	g.steps(func(s *step) {
		if s.end > r.start {
			r.add(0, g.typ, s, s.end-max(s.start, r.start))
			r.course.add(max(s.start, r.start), s.end, s.bucket)
		}
	})
}

// follow adds a step of a region's own goroutine to its path, and why it took so long.
func (c *tables) follow(r *region, g *goroutine, s *step) {
	took := s.end - max(s.start, r.start)
	r.add(0, g.typ, s, took)
	if s.bucket.waits() && s.waker != xtrace.NoGoroutine && took*followed >= r.kind.threshold() {
		c.explain(r, s.waker, s.wakerAt, max(s.start, r.start), s.end, 1)
	}
}

// explain adds what a goroutine did between two times.
func (c *tables) explain(r *region, id xtrace.GoID, at *place, from, to int64, depth int) {
	g := c.goroutines[id]
	if g == nil {
		return
	}
	g.steps(func(s *step) {
		start, end := max(s.start, from), min(s.end, to)
		if start >= end {
			return
		}
		r.add(depth, g.typ, s, end-start)
		if s.bucket.waits() && s.waker != xtrace.NoGoroutine && depth < maxDepths && len(r.path) < maxStays {
			c.explain(r, s.waker, s.wakerAt, start, end, depth+1)
		}
	})
	if start := max(g.since, from); start < to { // what it is still at
		r.add(depth, g.typ, &step{bucket: g.bucket, at: at}, to-start)
	}
}

// add adds time to a region's path.
func (r *region) add(depth int, typ *goType, s *step, took int64) {
	if took <= 0 {
		return
	}
	for i := range r.path {
		if p := &r.path[i]; p.depth == depth && p.bucket == s.bucket && p.at == s.at && p.typ == typ {
			p.took += took
			if took > p.longest {
				p.longest, p.wakerAt = took, s.wakerAt
			}
			return
		}
	}
	if len(r.path) < maxStays {
		r.path = append(r.path, stay{depth, typ, s.bucket, s.at, s.wakerAt, took, took})
	}
}
