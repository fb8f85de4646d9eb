package heapdump

// MemStats is the part of runtime.MemStats that says how large the process is, in bytes.
type MemStats struct {
	Sys          uint64 `json:"sys"`
	HeapAlloc    uint64 `json:"heapAlloc"` // with garbage that is not swept yet
	HeapSys      uint64 `json:"heapSys"`
	HeapIdle     uint64 `json:"heapIdle"`
	HeapInuse    uint64 `json:"heapInuse"`
	HeapReleased uint64 `json:"heapReleased"` // returned to the system
	StackInuse   uint64 `json:"stackInuse"`
	NextGC       uint64 `json:"nextGC"`
	NumGC        uint64 `json:"numGC"`
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
