package cache

// A queue is segments in the order in which they were started. New records go to its head; the oldest are taken from
// its first segment. The order of the queue is the order in memory: there are no links.
type queue struct {
	segments []*segment // some may be gone, but not the first
	head     *segment   // that records are appended to; nil: there is none
	cursor   int        // word of the first segment at which the oldest record begins
	filled   int        // words appended, or lost at the ends of segments, that the cursor has not passed
	lost     int        // of them, those at the ends of segments
	live     int        // of them, those of live records
}

// dead is how many words belong to records that were replaced or deleted.
func (q *queue) dead() int { return q.filled - q.lost - q.live }

// ownSegment is the part of a segment above which a record gets one to itself, so that at most a quarter of the memory
// is lost at the ends.
const ownSegment = 4

// append finds room for a record of n words in a queue.
func (s *shard) append(to uint8, n int) (place, []uint64) {
	q := &s.queues[to]
	g := q.head
	own := n > s.ownFrom()
	if own {
		g = s.begin(to, n)
	} else if g == nil || len(g.words)-g.used < n {
		s.seal(q)
		g = s.begin(to, max(s.nextSegment(q), n))
		q.head = g
	}
	at := g.used
	g.used += n
	g.live += n
	q.filled += n
	q.live += n
	if own {
		s.end(q, g)
	}
	return s.dir.place(g, at), g.words[at:g.used:g.used]
}

func (s *shard) begin(to uint8, words int) *segment {
	g := s.dir.add(s.memory.take(words), to)
	s.queues[to].segments = append(s.queues[to].segments, g)
	return g
}

// ownFrom is how many words a record may have in a segment with others.
func (s *shard) ownFrom() int {
	if s.memory.mapped() {
		return s.limits.segmentWords // a segment is whole pages
	}
	return s.limits.segmentWords / ownSegment
}

// end stops adding to a segment: its free words are lost until it is released.
func (s *shard) end(q *queue, g *segment) {
	g.sealed = true
	free := len(g.words) - g.used
	q.filled += free
	q.lost += free
}

// nextSegment is how large the next head is, in words: small in a young queue, so that a cache with few entries takes
// little.
func (s *shard) nextSegment(q *queue) int {
	least := leastSegment / wordBytes
	if s.memory.mapped() {
		least = s.limits.segmentWords // each is a call of the system, and whole pages
	}
	return min(max(q.filled/youngPart, least), s.limits.segmentWords)
}

// youngPart of a queue is the largest part of it that a head is.
const youngPart = 2

// seal ends the head.
func (s *shard) seal(q *queue) {
	g := q.head
	if g == nil {
		return
	}
	q.head = nil
	s.end(q, g)
	if g.live == 0 {
		s.giveBack(g)
	}
}

// giveBack drops a sealed segment, wherever it is in its queue.
func (s *shard) giveBack(g *segment) {
	q := &s.queues[g.queue]
	passed := 0
	if q.segments[0] == g {
		passed = q.cursor
	}
	q.filled -= len(g.words) - passed
	q.lost -= len(g.words) - g.used
	words := g.words
	s.dir.remove(g)
	s.memory.give(words)
	q.skip()
}

// skip drops the first segments that are gone.
func (q *queue) skip() {
	n := 0
	for n < len(q.segments) && q.segments[n].gone {
		n++
	}
	if n > 0 {
		q.cursor = 0
		clear(q.segments[:n])
		q.segments = q.segments[n:]
	}
}

// next takes the oldest record of a queue: the caller copies it or drops it. It returns false for a queue without
// records.
func (s *shard) next(q *queue) (place, bool) {
	for len(q.segments) > 0 {
		g := q.segments[0]
		if q.cursor < g.used {
			p := s.dir.place(g, q.cursor)
			n := s.dir.at(p).words()
			q.cursor += n
			q.filled -= n
			return p, true
		}
		s.seal(q) // the head was read to its end: nothing in it is alive, and it is released
	}
	return 0, false
}
