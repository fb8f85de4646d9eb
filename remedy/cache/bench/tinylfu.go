package main

import "container/list"

// tinyLFU is W-TinyLFU (Einziger, Friedman, Manes, ACM TOS 2017): a window of window/1000 of the capacity by LRU, and a
// segmented LRU behind it. A candidate from the window replaces a victim if a sketch says that it was asked for more
// often.
type tinyLFU struct {
	window, main *segmentedLRU
	sketch       sketch
}

func newTinyLFU(room, window int) *tinyLFU {
	w := max(room*window/1000, 1)
	return &tinyLFU{newSegmentedLRU(w, 0), newSegmentedLRU(room-w, 800), newSketch(room)}
}

func (t *tinyLFU) access(key uint32) bool {
	t.sketch.add(key)
	if t.main.touch(key) || t.window.touch(key) {
		return true
	}
	candidate, evicted := t.window.add(key)
	if !evicted {
		return false
	}
	if victim, full := t.main.victim(); full {
		if t.sketch.count(candidate) <= t.sketch.count(victim) {
			return false
		}
	}
	t.main.add(candidate)
	return false
}

// segmentedLRU is an LRU, or one with two parts: what is asked for a second time is protected, up to protect/1000 of
// the capacity.
type segmentedLRU struct {
	room, protect int
	parts         [2]*list.List // new, protected; of place
	at            map[uint32]*list.Element
}

type place struct {
	key  uint32
	part int
}

func newSegmentedLRU(room, protect int) *segmentedLRU {
	return &segmentedLRU{room, room * protect / 1000, [2]*list.List{list.New(), list.New()},
		make(map[uint32]*list.Element)}
}

func (s *segmentedLRU) access(key uint32) bool {
	if s.touch(key) {
		return true
	}
	s.add(key)
	return false
}

func (s *segmentedLRU) touch(key uint32) bool {
	e := s.at[key]
	if e == nil {
		return false
	}
	p := e.Value.(place)
	if s.protect == 0 || p.part == 1 {
		s.parts[p.part].MoveToFront(e)
		return true
	}
	s.parts[0].Remove(e)
	s.at[key] = s.parts[1].PushFront(place{key, 1})
	if s.parts[1].Len() > s.protect {
		old := s.parts[1].Remove(s.parts[1].Back()).(place)
		s.at[old.key] = s.parts[0].PushFront(place{old.key, 0})
	}
	return true
}

// victim is what an add would evict.
func (s *segmentedLRU) victim() (key uint32, full bool) {
	if len(s.at) < s.room {
		return 0, false
	}
	back := s.parts[0].Back()
	if back == nil {
		back = s.parts[1].Back()
	}
	return back.Value.(place).key, true
}

func (s *segmentedLRU) add(key uint32) (evicted uint32, full bool) {
	if evicted, full = s.victim(); full {
		e := s.at[evicted]
		s.parts[e.Value.(place).part].Remove(e)
		delete(s.at, evicted)
	}
	s.at[key] = s.parts[0].PushFront(place{key, 0})
	return evicted, full
}

// A sketch counts uses up to 15, in four rows, and halves all counts after ten uses per entry of capacity.
type sketch struct {
	rows  [4][]uint8
	added int
	limit int
}

func newSketch(room int) sketch {
	n := 1
	for n < room {
		n *= 2
	}
	s := sketch{limit: 10 * room}
	for i := range s.rows {
		s.rows[i] = make([]uint8, n)
	}
	return s
}

func (s *sketch) cell(row int, key uint32) *uint8 {
	return &s.rows[row][spread(key+uint32(row)*0x9e3779b9)&uint32(len(s.rows[row])-1)]
}

func (s *sketch) count(key uint32) uint8 {
	least := uint8(15)
	for row := range s.rows {
		least = min(least, *s.cell(row, key))
	}
	return least
}

func (s *sketch) add(key uint32) {
	for row := range s.rows {
		if c := s.cell(row, key); *c < 15 {
			*c++
		}
	}
	if s.added++; s.added < s.limit {
		return
	}
	s.added /= 2
	for _, row := range s.rows {
		for i := range row {
			row[i] /= 2
		}
	}
}
