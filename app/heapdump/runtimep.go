package heapdump

import "github.com/gocasebook/casebook/diagnose/refs"

// Caches of runtime.p, in objects, and its size in bytes (runtime2.go of Go 1.22 to 1.27).
const (
	deferPool  = 32
	sudogCache = 128
	leastP     = 4 << 10 // 10 KiB in Go 1.26
	mostP      = 32 << 10
	deferNear  = 512 // deferpool is in the first bytes
)

// isP reports whether an object is a runtime.p, which holds the timers. It has two slices in a row that point to the
// arrays behind themselves, deferpool and sudogcache.
func isP(w *wire, address uint64, m *memory) bool {
	return m.size >= leastP && m.size <= mostP && ownSlice(w, address, m, deferNear, deferPool) &&
		ownSlice(w, address, m, m.size, sudogCache)
}

// ownSlice reports whether memory has, before an offset, a slice of a capacity that points behind itself.
func ownSlice(w *wire, address uint64, m *memory, before, capacity uint64) bool {
	for offset := uint64(0); offset < before; offset += wordSize {
		if m.word(w, offset) == address+offset+3*wordSize && m.word(w, offset+2*wordSize) == capacity {
			return true
		}
	}
	return false
}

// pauses is the length of runtime.MemStats.PauseNs.
const pauses = 256

func (w *wire) memStats(v *visitor) {
	var m refs.MemStats
	var skip uint64
	w.uints(&skip, &skip, &m.Sys, &skip, &skip, &skip) // Alloc, TotalAlloc; Lookups, Mallocs, Frees
	w.uints(&m.HeapAlloc, &m.HeapSys, &m.HeapIdle, &m.HeapInuse, &m.HeapReleased, &skip, &m.StackInuse)
	w.uints(&skip, &skip, &skip, &skip, &skip, &skip, &skip, &skip) // StackSys, the runtime's own
	w.uints(&m.NextGC, &skip, &skip)                                // LastGC, PauseTotalNs
	for range pauses {
		w.uint()
	}
	m.NumGC = w.uint()
	if v.memStats != nil && w.err == nil {
		v.memStats(m)
	}
}
