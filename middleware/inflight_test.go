package middleware

import (
	"net/http"
	"runtime"
	"sync"
	"testing"
	"unsafe"
)

func TestTableGivesEachSlotOnce(t *testing.T) {
	var tab table
	const workers, each = 8, 300 // more than four chunks
	taken := make(chan *slot, workers*each)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := range each {
				s := tab.take()
				s.Store(int64(i) + 1)
				taken <- s
			}
		})
	}
	wg.Wait()
	close(taken)
	seen := make(map[*slot]bool)
	for s := range taken {
		if seen[s] {
			t.Fatal("a slot was given out twice")
		}
		seen[s] = true
	}
	if n := tab.each(func(int64) {}); n != workers*each {
		t.Errorf("%d are under way, want %d", n, workers*each)
	}
	for s := range seen {
		tab.give(s)
	}
	before := len(*tab.chunks.Load())
	for range workers * each {
		tab.take()
	}
	if after := len(*tab.chunks.Load()); after != before {
		t.Errorf("slots given back were not used again: %d chunks became %d", before, after)
	}
}

func TestNewSlotsShareNoCacheLine(t *testing.T) {
	var tab table
	const line = slotsPerLine * unsafe.Sizeof(slot{})
	seen := make(map[uintptr]bool)
	for range linesInChunk {
		at := uintptr(unsafe.Pointer(tab.take())) / line
		if seen[at] {
			t.Fatal("two of the first slots lie in one cache line")
		}
		seen[at] = true
	}
}

// A request that the pool loses returns its slot. Those of hijacked connections are lost on purpose.
func TestSlotsOfLostRequestsComeBack(t *testing.T) {
	m := New()
	boom := m.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	const chunkful = linesInChunk * slotsPerLine
	for range 10 {
		for range chunkful {
			call(t, boom)
		}
		for range 100 { // cleanups run some time after the collection
			runtime.GC()
			m.inflight.mu.Lock()
			free := len(m.inflight.free)
			m.inflight.mu.Unlock()
			if free >= chunkful-1 {
				break
			}
			runtime.Gosched()
		}
	}
	if n := len(*m.inflight.chunks.Load()); n > 3 {
		t.Errorf("10 times %d lost requests left %d chunks of slots, want their slots used again", chunkful, n)
	}
}
