package catalogue

// collector: the garbage collector's own cost. Less garbage first, fewer pointers second, more memory last: a larger
// heap only spreads what is wasted.
func collector() map[string][]Remedy {
	return map[string][]Remedy{
		"gc-cpu": {
			{"Allocate less at the lines that allocate most", "", code},
			{"Keep large caches where the collector does not look", ownCache,
				"each read copies or decodes; values are no longer shared pointers"},
			{"Let GOGC follow the memory that is free", ownTune, "memory: up to the limit that you set"},
			{"Raise GOGC by hand", runtimeGC, "memory: the heap grows to live × (1 + GOGC/100)"},
		},
		"gc-assist": {
			{"Allocate less in requests", "", code},
			{"Give the collector room: raise GOGC or GOMEMLIMIT", ownTune, "memory"},
			{"Spread bursts: fewer requests at once", errgroup, "requests wait, or are rejected"},
		},
		"gc-frequency": {
			{"Raise GOGC: a small live heap has little room and is collected often", runtimeGC,
				"memory: a few MiB if the live heap is small"},
			{"Let GOGC follow the memory that is free", ownTune, "memory: up to the limit that you set"},
			{"Keep buffers in a sync.Pool", "sync", shared},
		},
		"gc-death-spiral": {
			{"Raise the limit, or shrink the live heap", "", "memory, or a smaller cache"},
			{"Bound caches by bytes", ownCache, "entries are evicted"},
			{"Release memory before the limit is reached, and cap the collector's CPU", ownTune,
				"the heap may pass its target for a while, within the hard limit"},
			{"Reject requests while memory is short", failsafe, "requests are rejected under load"},
		},
		"gc-forced": {
			{"Take runtime.GC and debug.FreeOSMemory out", "", none},
			{"To keep memory below a limit, set GOMEMLIMIT", runtimeGC, "CPU when memory is near the limit"},
		},
		"gc-finalizers": {
			{"Close explicitly; keep a finalizer or cleanup only to report objects that nobody closed", "",
				"callers must close"},
			{"Put buffers back into a pool instead of resurrecting them", "sync", shared},
		},
		"gc-pointer-heap": {
			{"Keep the entries in pointer-free memory", ownCache,
				"each read copies or decodes; values are no longer shared pointers"},
			{"Store structs without pointers by value: map[K]V, []T, offsets instead of strings", "",
				"a change of the types"},
			{"An LRU in one block of memory", freelru,
				"memory is taken at the start; entries with pointers are still visited"},
			{"Sets of integers as bitmaps", roaring, "integers only"},
			{"Raise GOGC: the same marking, less often", ownTune, "memory: up to the limit that you set"},
		},
		"gc-ballast": {
			{"GOGC and GOMEMLIMIT instead of the ballast", runtimeGC, "the goal follows the live heap"},
			{"Let both follow the memory that is free", ownTune, "memory: up to the limit that you set"},
		},
	}
}
