package gctune

import "time"

// A reading is what the tuner knows about the process at one moment. Bytes, unless it says otherwise.
type reading struct {
	at     time.Duration // since the tuner started, on the monotonic clock
	bounds []bound       // at least one

	// The runtime's own account.
	mapped  int64 // everything that it has from the system and has not returned: what GOMEMLIMIT limits
	heap    int64 // of it, what holds objects or could: objects and free spans
	live    int64 // of it, marked by the last cycle; 0 before the first
	roots   int64 // stacks and globals that the last cycle scanned: GOGC counts them as live
	cycles  uint64
	gcCPU   float64 // seconds of the collector, without those that were idle anyway; moves when a cycle ends
	cpu     float64 // seconds available: GOMAXPROCS × time; likewise
	gogc    int     // as it is set now
	goLimit int64   // GOMEMLIMIT as it is set now
}

// A bound is a limit of memory, and how much of it is used: by this process, and by all others below the same limit.
type bound struct {
	name  string
	limit int64
	used  int64 // without what the kernel can take back
}

// free says how many bytes the nearest bound leaves below a share of its limit, negative above it, and which bound it
// is.
func (r *reading) free(share float64) (bytes int64, at bound) {
	for i, b := range r.bounds {
		if f := int64(share*float64(b.limit)) - b.used; i == 0 || f < bytes {
			bytes, at = f, b
		}
	}
	return bytes, at
}

// overhead is what the runtime needs besides the heap: stacks, its own structures, spans that are partly in use.
func (r *reading) overhead() int64 { return max(r.mapped-r.heap, 0) }

// percentDecides says whether GOGC ends a cycle, a bound of it or an operator's, before the heap has grown by room.
// Then more memory would not help.
func (r *reading) percentDecides(room int64) bool {
	return r.gogc >= 0 && (r.live+r.roots)/100*int64(r.gogc) < room
}
