package cache

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"unsafe"
)

// A memory gives segments their words: from Go's heap, or mapped.
type memory struct {
	maps *mappings // nil: Go's heap
}

// newMemory makes one. Mapped memory is released when nothing uses it any longer, Close or not.
func newMemory(kind Memory) (*memory, error) {
	if kind == Heap {
		return &memory{}, nil
	}
	if !canMap {
		return nil, fmt.Errorf("field Memory is Mapped, which %s does not offer here: use Heap", runtime.GOOS)
	}
	m := &memory{maps: &mappings{pages: make(map[*uint64][]byte)}}
	runtime.AddCleanup(m, (*mappings).drop, m.maps)
	return m, nil
}

func (m *memory) mapped() bool { return m.maps != nil }

// take makes room for this many words, or a few more. If the system refuses to map, they come from Go's heap.
func (m *memory) take(words int) []uint64 {
	if m.maps != nil {
		if w := m.maps.take(words); w != nil {
			return w
		}
	}
	return make([]uint64, words)
}

// give returns the words of a segment. Go's memory is left to the collector, because strings may point into it.
func (m *memory) give(words []uint64) {
	if m.maps != nil {
		m.maps.give(words)
	}
}

// keep makes a record outlive its segment: in Go's memory it does so anyway, from mapped memory it is copied.
func (m *memory) keep(r record) record {
	if m.maps == nil || r.p == nil {
		return r
	}
	words := make([]uint64, r.words())
	copyRecord(words, r)
	return record{unsafe.Pointer(unsafe.SliceData(words))}
}

// mappings are pages of the system.
type mappings struct {
	mu    sync.Mutex // guards pages; taken after a shard's
	pages map[*uint64][]byte
}

func (m *mappings) take(words int) []uint64 {
	size := os.Getpagesize()
	b := mapPages((words*wordBytes + size - 1) / size * size)
	if b == nil {
		return nil
	}
	first := (*uint64)(unsafe.Pointer(unsafe.SliceData(b)))
	m.mu.Lock()
	m.pages[first] = b
	m.mu.Unlock()
	return unsafe.Slice(first, len(b)/wordBytes)
}

func (m *mappings) give(words []uint64) {
	m.mu.Lock()
	b := m.pages[unsafe.SliceData(words)]
	delete(m.pages, unsafe.SliceData(words))
	m.mu.Unlock()
	if b != nil {
		unmapPages(b)
	}
}

func (m *mappings) drop() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for first, b := range m.pages {
		delete(m.pages, first)
		unmapPages(b)
	}
}
