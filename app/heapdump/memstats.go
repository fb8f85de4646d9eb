package heapdump

import "github.com/gocasebook/casebook/diagnose/refs"

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
