package catalogue

// memory: what is kept, and what the process holds beyond it.
func memory() map[string][]Remedy {
	bounded := Remedy{"A cache with a bound in bytes and an age", ownCache, "entries are evicted; reads copy or decode"}
	return map[string][]Remedy{
		"mem-leak": {
			{"Bound it: delete where the owner ends, limit by number or age", "", "more misses"},
			{"A cache of Go values with a bound and an age", otter, "a dependency; entries are evicted"},
			bounded,
		},
		"mem-giant": {
			{"Stream: a piece at a time through one buffer", "bufio", "no second pass over the data"},
			{"Make it once in its size, bounded", "", "a wrong size in a header must be bounded"},
			{"Sets of integers as bitmaps", roaring, "integers only"},
		},
		"mem-map-never-shrinks": {
			{"Copy what is left into a new map after a peak", "", "a copy under the map's lock: about 50 ns an entry"},
			bounded,
			{"A table of fixed size", freelru, "entries are evicted"},
		},
		"mem-stacks": {
			{"A fixed number of workers", errgroup, "work waits when all are busy"},
			{"Goroutines that are used again keep their grown stacks", "github.com/panjf2000/ants/v2", "a dependency"},
			{"Large arrays and deep recursion off the stack", "sync", code},
		},
		"mem-off-heap": {
			{"Give back what C or mmap gave: free and Munmap on every path", "", none},
			{"GOMEMLIMIT below the container's limit by what the runtime does not see", ownTune, "more collections"},
		},
		"mem-fragmentation": {
			{"Build what lives long in one go, apart from temporary work", "", "a copy"},
			{"One slab in place of many small long-lived objects", ownCache, "reads copy or decode"},
			{"Pools keep the peak low that made the spans", "sync", shared},
		},
		"mem-subslice-retained": {
			{"Clone the part that is kept", "strings", "a small allocation a part"},
			{"Decode into a struct with the fields that are kept", "", none},
		},
	}
}
