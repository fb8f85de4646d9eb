package cache

import (
	"fmt"
	"testing"
)

// check finds violations of what must be true in every shard at all times.
func (s *store) check(t *testing.T) {
	t.Helper()
	for i := range s.shards {
		if err := s.shards[i].check(); err != nil {
			t.Fatalf("shard %d: %v", i, err)
		}
	}
}

func (s *shard) check() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.index.Load()
	live := make(map[*segment]int)
	n := 0
	for i := range t.words {
		w := t.load(i)
		if w == 0 {
			continue
		}
		n++
		g := s.dir.segment(w.place())
		if g == nil || g.gone {
			return fmt.Errorf("index word %d points to a segment that is gone", i)
		}
		r := s.dir.at(w.place())
		live[g] += r.words()
		if h := s.hash(r.key()); tagOf(h) != w.tag() {
			return fmt.Errorf("index word %d has the tag of another key", i)
		}
		if at := s.own(s.hash(r.key()), r.key()); at != i {
			return fmt.Errorf("the key of index word %d is found at %d", i, at)
		}
	}
	if n != t.count {
		return fmt.Errorf("the index has %d words, it counts %d", n, t.count)
	}
	return s.checkQueues(live)
}

func (s *shard) checkQueues(live map[*segment]int) error {
	for name := range s.queues {
		q := &s.queues[name]
		sum := 0
		filled := -q.cursor
		for _, g := range q.segments {
			if g.gone {
				continue
			}
			if live[g] != g.live {
				return fmt.Errorf("segment %d says %d live words, the index %d", g.id, g.live, live[g])
			}
			sum += g.live
			if filled += g.used; g.sealed {
				filled += len(g.words) - g.used
			}
		}
		if sum != q.live || filled != q.filled {
			return fmt.Errorf("queue %d says %d live and %d filled words, want %d and %d", name, q.live, q.filled, sum,
				filled)
		}
		if q.dead() < 0 {
			return fmt.Errorf("queue %d has %d dead words", name, q.dead())
		}
	}
	if got := s.held(); got > s.limits.bytes {
		return fmt.Errorf("%d bytes are held, the limit is %d", got, s.limits.bytes)
	}
	return nil
}
