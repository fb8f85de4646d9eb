package refs

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
