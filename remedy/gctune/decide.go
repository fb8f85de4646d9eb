package gctune

import "time"

// A decider turns readings into settings. It has no clock, no lock and no runtime: the same readings give the same
// decisions.
type decider struct {
	cfg    Config
	left   allowance
	keep   kept // what an operator has set, and must not be changed
	share  gcShare
	relief int64 // bytes above the target that the collector's CPU is worth
	tight  tight
}

// kept says which settings stay as they are.
type kept struct{ gogc, limit bool }

// A decision is what to set, and what led to it.
type decision struct {
	gogc    int
	limit   int64 // GOMEMLIMIT
	reason  Reason
	collect bool // a cycle is wanted now, because none comes on its own

	bound   bound // that is nearest
	target  int64 // of that bound
	others  int64
	share   float64
	relief  int64
	starved bool // the collector takes more than it should and there is no memory left to use
	over    bool // above the target
}

// stopsShort is the part, 1 %, by which GOMEMLIMIT is above what is left. The runtime ends a cycle 3 % of the heap
// below its limit at the latest: in the module bench a steady heap peaks at 93 to 94 % of GOMEMLIMIT, and on a machine
// short of CPU at 98 %. The rest is for others; when they grow, allowance keeps more.
const stopsShort = 100

// minLimit is the least GOMEMLIMIT: a Go program that does nothing has about 3 MiB.
const minLimit = 4 << 20

// decide takes one reading. The reading's gogc and goLimit are the current settings.
func (d *decider) decide(r *reading) decision {
	free, nearest := r.free(1 - d.cfg.Headroom)
	toCeiling, _ := r.free(d.cfg.Ceiling)
	out := decision{bound: nearest, target: nearest.used + free, over: free < 0}

	// What others leave of the target belongs to the runtime. They cannot have less than nothing, though it seems so
	// while pages are not touched yet.
	left := d.left.observe(r.at, min(r.mapped+free, out.target))
	out.others = max(out.target-left, 0)
	base := max(left+left/stopsShort, minLimit)
	most := max(base, base+toCeiling-free) // the ceiling's
	d.relieve(r, base, most-base)
	out.share, out.relief = d.share.value, d.relief
	out.starved = d.share.value > d.cfg.MaxGCShare && d.relief == most-base &&
		!r.percentDecides(most-r.live-r.overhead())

	out.limit, out.gogc = r.goLimit, r.gogc
	if !d.keep.limit {
		out.limit = d.steady(r.goLimit, base+d.relief, out.target)
	}
	if !d.keep.gogc {
		out.gogc = d.percent(r, min(out.limit, base+d.relief))
	}
	out.reason = d.reason(r, &out)
	out.collect = d.tight.observe(r, min(out.limit, base+d.relief), d.cfg.Interval)
	return out
}

// relieve sets how far above the target memory may go. A cycle's work does not depend on the room between live heap and
// limit, but cycles come in inverse proportion to it: for the share s to become MaxGCShare the room must be
// s/MaxGCShare times what it was. More is granted at once, and half of what is no longer needed is withdrawn at each
// measurement.
func (d *decider) relieve(r *reading, base, most int64) {
	if share, fresh := d.share.observe(r); fresh {
		taken := r.live + r.overhead()
		room := max(base+d.relief-taken, taken/50) // never nothing, otherwise no factor would help
		wanted := int64(float64(room)*share/d.cfg.MaxGCShare) - (base - taken)
		d.relief = max(wanted, d.relief/2)
		if share < d.cfg.MaxGCShare/4 || r.percentDecides(room) {
			d.relief = 0
		}
	}
	d.relief = min(max(d.relief, 0), most)
}

// steady keeps a limit that would hardly change: a change is cheap, but each one is reported. It follows a decrease
// sooner than an increase.
func (d *decider) steady(old, wanted, target int64) int64 {
	if wanted > old-target/400 && wanted < old+target/100 {
		return old
	}
	return wanted
}

// percent is the GOGC at which the heap ends when the runtime has top bytes. While we set GOMEMLIMIT too, GOGC is a
// tenth higher: the limit then says when to collect, from exact and present numbers, and GOGC protects against a change
// of the live heap meanwhile. If the operator set the limit, GOGC alone keeps the process below the target.
func (d *decider) percent(r *reading, top int64) int {
	room := top - r.overhead() - r.live
	if d.keep.limit {
		room -= room * pacingSlack / 100
	} else {
		room += room / 10
	}
	wanted := int64(d.cfg.MaxGOGC)
	if counted := r.live + r.roots; counted > 0 && room/counted <= wanted {
		wanted = min(room*100/counted, wanted)
	}
	wanted = max(wanted, int64(d.cfg.MinGOGC))
	old := int64(r.gogc)
	if wanted > old-old/20 && wanted < old+old/20 && old <= int64(d.cfg.MaxGOGC) {
		return r.gogc // hardly different
	}
	return int(wanted)
}

// pacingSlack in percent is left free if we set no limit behind GOGC: the 3 % that the runtime itself leaves below a
// memory limit, for a heap that ends a bit above its goal and for spans that are partly used
// (memoryLimitHeapGoalHeadroomPercent in runtime/mgcpacer.go), and a bit more for a live heap that grows.
const pacingSlack = 5

// reason is the strongest one for a change.
func (d *decider) reason(r *reading, out *decision) Reason {
	switch {
	case out.limit == r.goLimit && out.gogc == r.gogc:
		return Unchanged
	case out.starved:
		return Starved
	case out.limit > r.goLimit && out.relief > 0:
		return GCShare
	case out.limit < r.goLimit:
		return LessMemory
	case out.limit > r.goLimit:
		return MoreMemory
	}
	return LiveHeap
}

// tight notices that the process is above its limit and does not collect on its own, because it allocates nothing.
type tight struct {
	since  time.Duration
	cycles uint64
	on     bool
}

// patience, in looks, is how long the runtime may take to begin a cycle.
const patience = 2

func (t *tight) observe(r *reading, limit int64, interval time.Duration) (collect bool) {
	garbage := r.mapped - r.overhead() - r.live
	if r.mapped <= limit || garbage < limit/50 {
		t.on = false
		return false
	}
	if !t.on || r.cycles != t.cycles {
		*t = tight{r.at, r.cycles, true}
		return false
	}
	if r.at-t.since < patience*interval {
		return false
	}
	t.since = r.at
	return true
}
