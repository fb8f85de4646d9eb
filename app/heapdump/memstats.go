package heapdump

// MemStats is the part of runtime.MemStats that says how large the process is, in bytes.
type MemStats struct {
	Sys          uint64 `json:"sys"`
	HeapAlloc    uint64 `json:"heap_alloc"` // with garbage that is not swept yet
	HeapSys      uint64 `json:"heap_sys"`
	HeapIdle     uint64 `json:"heap_idle"`
	HeapInuse    uint64 `json:"heap_inuse"`
	HeapReleased uint64 `json:"heap_released"` // returned to the system
	StackInuse   uint64 `json:"stack_inuse"`
	NextGC       uint64 `json:"next_gc"`
	NumGC        uint64 `json:"num_gc"`
}

// pauses is the length of runtime.MemStats.PauseNs.
const pauses = 256

func (w *wire) memStats(v *visitor) {
	var m MemStats
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
