package stacks

import (
	"encoding/binary"
	"hash/maphash"
	"slices"
)

// stackIDs numbers distinct stacks from 0. A map whose keys are stacks as text took 330 bytes for each of 300,000: this
// takes 30. The hash has a seed, so that nobody can make a file with stacks that collide.
type stackIDs struct {
	seed  maphash.Seed
	heads map[uint64]int32 // the last stack with the hash
	next  []int32          // the one before it; -1: none
	known [][]FrameID
	bytes []byte // reused
}

func newStackIDs(n int) *stackIDs {
	return &stackIDs{seed: maphash.MakeSeed(), heads: make(map[uint64]int32, n), next: make([]int32, 0, n),
		known: make([][]FrameID, 0, n)}
}

// add returns the number of a stack, the next free one if it is new.
func (s *stackIDs) add(stack []FrameID) int {
	h := s.hash(stack)
	head, ok := s.heads[h]
	if !ok {
		head = -1
	}
	if id := s.from(head, stack); id >= 0 {
		return id
	}
	id := len(s.known)
	s.known, s.next, s.heads[h] = append(s.known, stack), append(s.next, head), int32(id)
	return id
}

// find returns the number of a stack, -1 for one that was not added.
func (s *stackIDs) find(stack []FrameID) int {
	head, ok := s.heads[s.hash(stack)]
	if !ok {
		return -1
	}
	return s.from(head, stack)
}

func (s *stackIDs) from(head int32, stack []FrameID) int {
	for id := head; id >= 0; id = s.next[id] {
		if slices.Equal(s.known[id], stack) {
			return int(id)
		}
	}
	return -1
}

func (s *stackIDs) hash(stack []FrameID) uint64 {
	s.bytes = s.bytes[:0]
	for _, id := range stack {
		s.bytes = binary.LittleEndian.AppendUint32(s.bytes, uint32(id))
	}
	return maphash.Bytes(s.seed, s.bytes)
}
