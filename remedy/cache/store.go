package cache

import (
	"hash/maphash"
	"sync/atomic"
	"time"
)

// A store is a cache of bytes: shards by hash, the clock, the tuner, the counters. Cache gives it types.
type store struct {
	shards  []shard
	shift   uint // of a hash, to the shard's number
	seed    maphash.Seed
	started time.Time
	memory  *memory
	mapped  bool
	tuner   tuner
	counts  counters
	closed  atomic.Bool
	sliding int64 // ms that a Get prolongs an entry by; 0: it does not
}

// now is ms since the store was made, and at least 1: 0 stands for no deadline.
func (s *store) now() int64 { return time.Since(s.started).Milliseconds() + 1 }

func (s *store) hash(key []byte) uint64 { return maphash.Bytes(s.seed, key) }

func (s *store) shard(h uint64) *shard { return &s.shards[h>>s.shift] }

// entries counts all entries, including those that have expired and were not removed yet.
func (s *store) entries() int { return s.sum((*shard).count) }

// expects is how many entries there will be when all is full.
func (s *store) expects() int { return s.sum((*shard).expects) }

// sum adds up a number of every shard, each under its lock.
func (s *store) sum(of func(*shard) int) int {
	n := 0
	for i := range s.shards {
		sh := &s.shards[i]
		sh.mu.Lock()
		n += of(sh)
		sh.mu.Unlock()
	}
	return n
}

// lookup finds a record. It stays as it is as long as anybody uses it.
func (s *store) lookup(h uint64, key []byte) (record, bool) {
	if s.tuner.sampled(h) {
		s.tuner.got(h, s.expects)
	}
	if s.mapped {
		return s.lookupMapped(h, key)
	}
	return s.shard(h).lookup(h, key)
}

// lookupMapped copies the record under the lock, because its pages may be released afterwards.
func (s *store) lookupMapped(h uint64, key []byte) (record, bool) {
	sh := s.shard(h)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	r, found, _ := sh.try(h, key)
	if found && s.sliding != 0 {
		s.slide(r, r.header(), s.now())
	}
	return s.memory.keep(r), found
}

// slide prolongs a record that was asked for, unless that would gain little.
func (s *store) slide(r record, header uint64, now int64) {
	d := deadlineOf(header)
	if d == 0 || now >= d {
		return
	}
	ttl := r.ttl(header)
	if ttl == 0 {
		ttl = s.sliding
	}
	if gain := now + ttl - d; gain > ttl/slideGrain {
		r.prolong(header, now+ttl)
	}
}

// slideGrain is the part of its lifetime by which an entry may end too early, so that most Gets write nothing.
const slideGrain = 32

// put writes an entry and returns what was removed for it, if anybody wants to know.
func (s *store) put(h uint64, d *draft) (held bool, gone []removal) {
	if s.tuner.sampled(h) {
		s.tuner.put(h)
	}
	mode := s.tuner.mode()
	sh := s.shard(h)
	now := s.now()
	sh.mu.Lock()
	held = sh.put(h, d, now, mode)
	gone = sh.takeGone()
	starts := s.tuner.idle() && sh.count()*tuneFrom >= sh.expects()
	sh.mu.Unlock()
	if starts {
		s.tuner.begin(s.expects)
	}
	return held, gone
}

func (s *store) delete(h uint64, key []byte) (was bool, gone []removal) {
	sh := s.shard(h)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	was = sh.delete(h, key, Deleted)
	return was, sh.takeGone()
}

// close empties the shards for good.
func (s *store) close() {
	for i := range s.shards {
		sh := &s.shards[i]
		sh.mu.Lock()
		sh.watched, sh.closed = false, true
		sh.clear()
		sh.mu.Unlock()
	}
}
