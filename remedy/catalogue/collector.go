package catalogue

// collector: the garbage collector's own cost. Less garbage first, fewer pointers second, more memory last: a larger heap
// only spreads what is wasted.
func collector() map[string][]Remedy {
	return map[string][]Remedy{
		"gc-cpu": {
			{"Allocate less at the lines that allocate most", "", code},
			{"Keep large caches where the collector does not look", ownCache, "each read copies or decodes; values are no longer shared pointers"},
			{"Let GOGC follow the memory that is free", ownTune, "memory: up to the bound that it is given"},
			{"Raise GOGC by hand", runtimeGC, "memory: the heap grows to live × (1 + GOGC/100)"},
		},
		"gc-assist": {
			{"Allocate less in requests", "", code},
			{"Give the collector room: GOGC or GOMEMLIMIT higher", ownTune, "memory"},
			{"Spread bursts: fewer requests at once", errgroup, "requests wait, or are refused"},
		},
		"gc-frequency": {
			{"Raise GOGC: a small live heap is collected often at little room", runtimeGC, "memory: some MiB where the live heap is small"},
			{"Let GOGC follow the memory that is free", ownTune, "memory: up to the bound that it is given"},
			{"Keep buffers in a sync.Pool", "sync", shared},
		},
		"gc-death-spiral": {
			{"Raise the limit, or lower what is live", "", "memory, or a smaller cache"},
			{"Bound caches by bytes", ownCache, "entries are evicted"},
			{"Give back before the limit is reached, and cap the collector's CPU", ownTune, "the heap may pass its target for a while, within the hard limit"},
			{"Refuse requests while memory is short", failsafe, "requests are refused under load"},
		},
		"gc-forced": {
			{"Take runtime.GC and debug.FreeOSMemory out", "", none},
			{"To keep memory below a bound, set GOMEMLIMIT", runtimeGC, "CPU when memory is near the limit"},
		},
		"gc-finalizers": {
			{"Close explicitly; keep a finalizer or cleanup only to report what was forgotten", "", "callers must close"},
			{"Put buffers back into a pool, in place of bringing them back to life", "sync", shared},
		},
		"gc-pointer-heap": {
			{"Keep the entries in pointer-free memory", ownCache, "each read copies or decodes; values are no longer shared pointers"},
			{"Store structs without pointers by value: map[K]V, []T, offsets in place of strings", "", "a change of the types"},
			{"An LRU in one block of memory", freelru, "memory is taken at the start; entries with pointers are still visited"},
			{"Sets of integers as bitmaps", roaring, "integers only"},
			{"Raise GOGC: the same marking, less often", ownTune, "memory: up to the bound that it is given"},
		},
		"gc-ballast": {
			{"GOGC and GOMEMLIMIT in place of the ballast", runtimeGC, "the goal follows the live heap"},
			{"Let both follow the memory that is free", ownTune, "memory: up to the bound that it is given"},
		},
	}
}
