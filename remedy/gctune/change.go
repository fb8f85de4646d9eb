package gctune

import "fmt"

// A Reason says why a setting was changed.
type Reason int

// The reasons, the stronger first.
const (
	Unchanged Reason = iota
	// the collector takes more than MaxGCShare, and memory is at the ceiling: the live heap is too large
	Starved
	GCShare    // the collector takes more than MaxGCShare: memory above the target is spent instead
	LessMemory // others take more, or a limit is lower
	MoreMemory // others take less, a limit is higher, or the collector needs no more than its share
	LiveHeap   // the live heap is larger or smaller
	Restored   // the tuner has stopped, and what it found is set again
	reasons
)

func (r Reason) String() string {
	names := [reasons]string{"unchanged", "live heap too large", "GC CPU", "less memory", "more memory", "live heap",
		"restored"}
	if r < 0 || r >= reasons {
		return fmt.Sprintf("reason %d", int(r))
	}
	return names[r]
}

// A Change is one change of GOGC or GOMEMLIMIT, or of both, with the numbers that led to it. Memory is in bytes.
type Change struct {
	Reason             Reason
	OldGOGC, GOGC      int   // percent; -1: off
	OldLimit, Limit    int64 // GOMEMLIMIT; math.MaxInt64: none
	Bound              string
	BoundLimit, Target int64 // of the limit that is nearest: a cgroup's folder, or Config.Limit
	// Of that limit, now; and how much of it is not the Go runtime's, including growth in the near future.
	Used, Others int64
	Live         int64 // marked by the last cycle
	Relief       int64 // by how much memory may be above the target, to spare CPU
	GCShare      float64
}

// String explains the change in one line.
func (c Change) String() string {
	return fmt.Sprintf("%v: GOGC %s → %s, GOMEMLIMIT %s → %s (target %s of %s, used %s, others %s, live heap %s, GC "+
		"%.1f %% of CPU, %s above the target allowed)",
		c.Reason, percentText(c.OldGOGC), percentText(c.GOGC), limitText(c.OldLimit), limitText(c.Limit), mib(c.Target),
		mib(c.BoundLimit),
		mib(c.Used), mib(c.Others), mib(c.Live), 100*c.GCShare, mib(c.Relief))
}

func percentText(gogc int) string {
	if gogc < 0 {
		return "off"
	}
	return fmt.Sprint(gogc)
}

func limitText(bytes int64) string {
	if bytes >= noLimit {
		return "off"
	}
	return mib(bytes)
}

func mib(bytes int64) string { return fmt.Sprintf("%.0fMiB", float64(bytes)/(1<<20)) }
