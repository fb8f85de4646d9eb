package catalogue

// memory: what is kept, and what the process has beyond it.
func memory() map[string][]Remedy {
	bounded := Remedy{"A cache limited in bytes and age", ownCache, "entries are evicted; reads copy or decode"}
	return map[string][]Remedy{
		"mem-leak": {
			{"Limit it: delete where the owner ends, limit by number or age", "", "more misses"},
			{"A cache of Go values, limited in size and age", otter, "a dependency; entries are evicted"},
			bounded,
		},
		"mem-giant": {
			{"Stream: a piece at a time through one buffer", "bufio", "no second pass over the data"},
			{"Make it once at its full size, limited", "", "a wrong size in a header must be limited"},
			{"Sets of integers as bitmaps", roaring, "integers only"},
		},
		"mem-map-never-shrinks": {
			{"Copy the remaining entries into a new map after a peak", "",
				"a copy under the map's lock: about 50 ns an entry"},
			bounded,
			{"A table of fixed size", freelru, "entries are evicted"},
		},
		"mem-stacks": {
			{"A fixed number of workers", errgroup, "work waits when all are busy"},
			{"Reused goroutines keep their grown stacks", "github.com/panjf2000/ants/v2", "a dependency"},
			{"Move large arrays and deep recursion off the stack", "sync", code},
		},
		"mem-off-heap": {
			{"Release memory of C and mmap: free and Munmap on every path", "", none},
			{"Lower GOMEMLIMIT by the memory that the runtime does not see", ownTune, "more collections"},
		},
		"mem-limit-near": {
			{"GOMEMLIMIT at 90 % of the limit, less what is not Go's", ownTune, "more collections near the limit"},
			bounded,
			{"A higher limit", "", "memory"},
		},
		"mem-fragmentation": {
			{"Build long-lived data in one go, separately from temporary work", "", "a copy"},
			{"One slab instead of many small long-lived objects", ownCache, "reads copy or decode"},
			{"Pools keep the peak low, and with it the number of spans", "sync", shared},
		},
		"mem-subslice-retained": {
			{"Clone the part that you keep", "strings", "a small allocation per part"},
			{"Decode into a struct with the fields that are kept", "", none},
		},
	}
}
