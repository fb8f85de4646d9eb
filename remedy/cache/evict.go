package cache

// A mode is how a shard chooses what to evict. All are S3-FIFO (Yang et al., FIFO queues are all you need for cache
// eviction, SOSP 2023) with other numbers: new entries are in a small queue, and only those that are asked for there,
// or were evicted from it a short time ago, move to the main queue.
type mode struct {
	smallShare int  // of 1000: the small queue's part of the memory
	ghosts     bool // an entry that comes back soon after its eviction goes to the main queue at once
}

// modes are the candidates among which the tuner chooses by what is asked for. See tune.go.
func modes() [3]mode {
	return [3]mode{
		{smallShare: 10, ghosts: true},  // by frequency: for popularity that lasts, and for scans
		{smallShare: 700, ghosts: true}, // by recency: for a working set that shifts
		{smallShare: 1, ghosts: false},  // what is held stays: for loops larger than the cache
	}
}

func modeNames() [3]string { return [3]string{"frequency", "recency", "fixed"} }

const (
	// slackSegments may be started but not full, or read but not released: a head and a tail of each queue.
	slackSegments = 4

	// maxMoves bounds what one call copies to the queues' heads. Beyond that, records are dropped although they were
	// asked for: a writer must not wait for a walk through everything.
	maxMoves = 32

	// deadPart of a queue may be dead. Above that its live records are moved together rather than evicted.
	deadPart = 8
)

// words is how many words the queues may fill.
func (s *shard) words() int {
	other := s.index.Load().bytes() + s.ghosts.bytes()
	return max(s.limits.bytes-other, s.limits.bytes/4)/wordBytes - slackSegments*s.limits.segmentWords
}

// largest is how many words a record may have.
func (s *shard) largest() int { return s.limits.bytes / wordBytes / 8 }

// makeRoom evicts until the shard is within its limits.
func (s *shard) makeRoom(now int64, m mode) {
	left := maxMoves
	for {
		limit := s.words()
		over := s.queues[small].filled+s.queues[main].filled > limit
		many := s.limits.entries > 0 && s.count() > s.limits.entries
		if !over && !many {
			return
		}
		if many { // then there is room for what the allowed entries fill
			limit = min(limit, (s.queues[small].filled+s.queues[main].filled)/s.count()*s.limits.entries)
		}
		if !s.evict(now, m, limit, many, &left) {
			return
		}
	}
}

// evict takes one record from a queue's end, and drops it or moves it on. It returns false when there is none.
func (s *shard) evict(now int64, m mode, limit int, many bool, left *int) bool {
	from, target := s.choose(m, limit)
	q := &s.queues[from]
	p, ok := s.next(q)
	if !ok {
		return false
	}
	r := s.dir.at(p)
	h := s.hash(r.key())
	at := s.index.Load().find(tagOf(h), p)
	if at < 0 {
		return true // it was dead already
	}
	freq := s.index.Load().load(at).freq()
	switch {
	case s.expired(r.header(), now):
		s.unlink(at, Expired)
	case *left <= 0:
		s.unlink(at, Evicted)
	case !many && q.dead()*deadPart > q.filled:
		s.move(at, from, freq)
		*left--
	case from == small && (freq > 0 || s.mainHasRoom(limit, target)):
		s.move(at, main, 0)
		*left--
	case from == main && freq > 0:
		s.move(at, main, freq-1)
		*left--
	default:
		if from == small {
			s.ghosts.add(h, s.count())
		}
		s.unlink(at, Evicted)
	}
	return true
}

// choose says which queue gives up a record, and how many words are meant for the small one.
func (s *shard) choose(m mode, limit int) (from uint8, target int) {
	target = limit * m.smallShare / 1000
	if s.queues[small].filled > target || s.queues[main].filled == 0 {
		return small, target
	}
	return main, target
}

// mainHasRoom is true before the main queue has what is not meant for the small one.
func (s *shard) mainHasRoom(limit, target int) bool {
	return s.queues[main].filled+target < limit
}

// move copies the record of an index word to the head of a queue.
func (s *shard) move(at int, to uint8, freq int) {
	t := s.index.Load()
	w := t.load(at)
	r := s.dir.at(w.place())
	n := r.words()
	p, dst := s.append(to, n)
	copyRecord(dst, r)
	s.sweep.noticed(deadlineOf(dst[0]))
	t.store(at, makeWord(p, freq, w.tag()))
	s.retire(w.place())
}

// tuneFrom is the part of a shard that is filled when the tuner starts: one in tuneFrom.
const tuneFrom = 8

// expects is how many entries the shard will have when it is full, by those that it has.
func (s *shard) expects() int {
	filled := s.queues[small].filled + s.queues[main].filled
	n := int(float64(s.count()) * max(float64(s.words())/float64(max(filled, 1)), 1))
	if s.limits.entries > 0 {
		n = min(n, s.limits.entries)
	}
	return n
}
