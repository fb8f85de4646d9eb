package cache

import (
	"hash/maphash"
	"sync"
	"sync/atomic"
)

// A shard is a cache of its own for its part of the hashes: an index, a directory of segments, two queues of them.
// Writers hold mu. Readers hold nothing, unless the memory is mapped, because mapped memory may be reused while they
// read.
type shard struct {
	index atomic.Pointer[table]
	moves atomic.Uint64 // raised when an entry moves to an earlier bucket
	dir   directory

	_ [64]byte // readers' cache lines end here

	mu      sync.Mutex // guards what follows and every change of the above; a leaf
	queues  [2]queue   // small and main
	ghosts  ghosts
	closed  bool
	limits  limits
	sets    uint64
	causes  [causes]uint64 // removals so far
	sweep   sweeper
	gone    []removal // noted while mu is held, for takeGone
	watched bool      // removals are reported
	memory  *memory
	seed    maphash.Seed
	grace   int64 // ms for which an entry is kept beyond its deadline
}

// limits are what a shard may hold.
type limits struct {
	bytes        int // of segments, index and ghosts together
	entries      int // 0: as many as bytes allow
	segmentWords int
}

const (
	small = 0
	main  = 1
)

// tries is how often a reader looks again when writers interfere, before it takes the lock.
const tries = 16

// firstBuckets is the size of the index of an empty shard.
const firstBuckets = 2

func (s *shard) hash(key []byte) uint64 { return maphash.Bytes(s.seed, key) }

func (s *shard) expired(header uint64, now int64) bool {
	d := deadlineOf(header)
	return d != 0 && now >= d+s.grace
}

// lookup finds the record of a key, and counts the use of it.
func (s *shard) lookup(h uint64, key []byte) (record, bool) {
	for range tries {
		if r, found, sure := s.try(h, key); sure {
			return r, found
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r, found, _ := s.try(h, key)
	return r, found
}

// try is a lookup that is not certain if a writer changed what was read while it was read.
func (s *shard) try(h uint64, key []byte) (r record, found, sure bool) {
	moves := s.moves.Load()
	t := s.index.Load()
	tag := tagOf(h)
	b := t.home(tag)
	for range t.buckets {
		full := true
		for i := b * bucketWords; i < (b+1)*bucketWords; i++ {
			w := t.load(i)
			if w.tag() != tag || w == 0 {
				full = full && w != 0
				continue
			}
			// The segment stayed the same around a moment at which the shard's index had this place. So it is the
			// place's segment, and the record was whole.
			first := s.dir.first(w.place())
			now := t.load(i)
			if first == nil || !now.same(w) || s.index.Load() != t || s.dir.first(w.place()) != first {
				return record{}, false, false
			}
			r := s.dir.in(first, w.place())
			if r.hasKey(key) {
				t.used(i, w)
				return r, true, true
			}
		}
		if !full {
			break
		}
		b = t.next(b)
	}
	return record{}, false, s.moves.Load() == moves && s.index.Load() == t
}

// own finds the index word of a key; the caller holds mu, here and below. It is -1 without an entry.
func (s *shard) own(h uint64, key []byte) int {
	return s.index.Load().match(tagOf(h), func(p place) bool { return s.dir.at(p).hasKey(key) })
}

// put writes an entry, instead of the one with the same key if there is one, and makes room. It returns false if the
// record is too large.
func (s *shard) put(h uint64, d *draft, now int64, mode mode) bool {
	if s.closed {
		return true // Close came in between: as if it had come after
	}
	n := d.words()
	if n > s.largest() {
		s.delete(h, d.key, Refused)
		return false
	}
	q, freq, tag := uint8(small), 0, tagOf(h)
	at := s.own(h, d.key)
	switch {
	case at >= 0:
		old := s.index.Load().load(at)
		q, freq = s.dir.segment(old.place()).queue, old.freq()
	case mode.ghosts && s.ghosts.has(h):
		q = main
	}
	p, dst := s.append(q, n)
	d.write(dst)
	w := makeWord(p, freq, tag)
	if at >= 0 {
		t := s.index.Load()
		old := t.load(at)
		t.store(at, w)
		cause := Replaced
		if s.expired(s.dir.at(old.place()).header(), now) {
			cause = Expired
		}
		s.countRemoval(old.place(), cause)
	} else {
		if s.index.Load().full() {
			s.index.Store(s.index.Load().grown())
		}
		s.index.Load().insert(w)
	}
	s.sets++
	s.sweep.noticed(d.deadline)
	s.sweep.step(s, now)
	s.makeRoom(now, mode)
	return true
}

// delete removes the entry of a key and says whether there was one.
func (s *shard) delete(h uint64, key []byte, cause Cause) bool {
	at := s.own(h, key)
	if at < 0 {
		return false
	}
	s.unlink(at, cause)
	return true
}

// unlink removes the entry of an index word.
func (s *shard) unlink(at int, cause Cause) {
	t := s.index.Load()
	p := t.load(at).place()
	t.remove(at, &s.moves)
	s.countRemoval(p, cause)
}

// countRemoval counts a removal and its cause.
func (s *shard) countRemoval(p place, cause Cause) {
	s.causes[cause]++
	if s.watched {
		s.gone = append(s.gone, removal{s.memory.keep(s.dir.at(p)), cause})
	}
	s.retire(p)
}

// retire counts a record to which the index no longer points as dead. A sealed segment without a live one is released.
func (s *shard) retire(p place) {
	g, n := s.dir.segment(p), s.dir.at(p).words()
	g.live -= n
	s.queues[g.queue].live -= n
	if g.live == 0 && g.sealed {
		s.giveBack(g)
	}
}

// clear removes all entries. The directory stays as large as it is, because readers may be in it.
func (s *shard) clear() {
	t := s.index.Load()
	for i := range t.words {
		if w := t.load(i); w != 0 {
			s.countRemoval(w.place(), Cleared)
		}
	}
	s.index.Store(newTable(firstBuckets))
	for i := range s.queues {
		s.seal(&s.queues[i])
	}
	s.ghosts, s.sweep = ghosts{}, sweeper{}
}

// takeGone is what was removed since it was last called.
func (s *shard) takeGone() []removal {
	gone := s.gone
	s.gone = nil
	return gone
}

// count is how many entries the index has.
func (s *shard) count() int { return s.index.Load().count }
