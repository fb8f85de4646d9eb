package cache

// A shadow is what a mode would keep of a sample of the keys: S3-FIFO over hashes, without values. Its capacity is the
// cache's, divided as the keys are.
type shadow struct {
	mode
	room   int
	queues [2]ring // small and main
	past   ring    // ghosts, in the order of their eviction
	keys   map[uint64]shade
	hits   float64 // as much as they still count: see tuneMemory
}

// A shade is the position of a key in a shadow, and how often it was requested there.
type shade struct {
	in   uint8 // small, main, or ghost
	freq uint8
}

const ghost = 2

func newShadow(m mode, room int) *shadow {
	s := &shadow{mode: m, room: room, past: newRing(room), keys: make(map[uint64]shade, 2*room)}
	for i := range s.queues {
		s.queues[i] = newRing(room + 1)
	}
	return s
}

func (s *shadow) get(h uint64) {
	e, ok := s.keys[h]
	if !ok || e.in == ghost {
		return
	}
	s.hits++
	if e.freq < freqMax {
		e.freq++
		s.keys[h] = e
	}
}

func (s *shadow) set(h uint64) {
	e, ok := s.keys[h]
	switch {
	case ok && e.in != ghost:
		return
	case ok && s.ghosts:
		s.enter(h, main, 0)
	default:
		s.enter(h, small, 0)
	}
	for s.queues[small].n+s.queues[main].n > s.room {
		s.evict()
	}
}

func (s *shadow) enter(h uint64, in, freq uint8) {
	s.keys[h] = shade{in, freq}
	s.queues[in].push(h)
}

func (s *shadow) evict() {
	target := max(s.room*s.smallShare/1000, 1)
	if s.queues[small].n <= target {
		h := s.queues[main].pop()
		if e := s.keys[h]; e.freq > 0 {
			s.enter(h, main, e.freq-1)
		} else {
			delete(s.keys, h)
		}
		return
	}
	h := s.queues[small].pop()
	if s.keys[h].freq > 0 || s.queues[main].n+target < s.room {
		s.enter(h, main, 0)
		return
	}
	if s.past.full() {
		if old := s.past.pop(); s.keys[old].in == ghost {
			delete(s.keys, old)
		}
	}
	s.keys[h] = shade{in: ghost}
	s.past.push(h)
}

// A ring is a queue of bounded length.
type ring struct {
	hashes  []uint64
	from, n int
}

func newRing(room int) ring { return ring{hashes: make([]uint64, room)} }

func (r *ring) full() bool { return r.n == len(r.hashes) }

func (r *ring) push(h uint64) {
	r.hashes[(r.from+r.n)%len(r.hashes)] = h
	r.n++
}

func (r *ring) pop() uint64 {
	h := r.hashes[r.from]
	r.from = (r.from + 1) % len(r.hashes)
	r.n--
	return h
}
