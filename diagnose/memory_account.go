package diagnose

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// kernelMemory is what the kernel tells of the memory of the process at one moment.
type kernelMemory struct {
	casefile.ProcessMemory
	file  string
	taken time.Time
}

// maxMemory is more bytes than any process has.
const maxMemory = 1 << 50

// takeMemory takes what the kernel tells from evidence of the kind runtime. Impossible sizes are left out.
func takeMemory(r *Reading, e Evidence, doc map[string]json.RawMessage) {
	var m casefile.ProcessMemory
	var absent map[string]string
	if json.Unmarshal(doc["absent"], &absent) == nil {
		r.noMemory = absent["memory"]
	}
	if doc["memory"] == nil || json.Unmarshal(doc["memory"], &m) != nil || !believable(&m) {
		return
	}
	r.memory = append(r.memory, kernelMemory{m, e.Name, e.Taken})
}

func believable(m *casefile.ProcessMemory) bool {
	sizes := []int64{m.RSS - 1, m.Anonymous, m.File, m.Shared, m.Swapped}
	if p := m.Mapped; p != nil {
		sizes = append(sizes, p.RSS-1, p.Heap, p.Runtime, p.Program, p.Files, p.Shared, p.Anonymous, p.Arenas, p.CHeap,
			p.LazyFree)
	}
	if g := m.Group; g != nil {
		sizes = append(sizes, g.Usage, g.Anonymous, g.PageCache, g.Shared, g.Kernel)
	}
	return slices.Min(sizes) >= 0 && slices.Max(sizes) <= maxMemory
}

// A dated is a size with its time and the evidence it is from.
type dated struct {
	bytes float64
	taken time.Time
	file  string
}

// A memoryAccount is all that the evidence tells of the memory of the process, as near to one moment as it allows.
type memoryAccount struct {
	rss    dated         // bytes is 0 where it is not known
	kernel *kernelMemory // nil where only the vitals tell what is resident
	unread string        // why it is nil
	goHeld dated         // what Go has from the system and has not given back; bytes is 0 where it is not known
	of     *numbers      // its classes; nil where only the vitals tell
	live   dated         // what a collection left; bytes is 0 where it is not known
	after  bool          // that collection ended after the rest was read
	sample *vitals.Sample
}

// memoryClasses are the parts of what Go has from the system and has not given back (runtime/metrics, /memory/classes).
var memoryClasses = [...]string{metricObjects, metricUnused, metricFree, metricStacks, metricOSStacks, metricSpans,
	metricSpansFree, metricCaches, metricCachesFree, metricForGC, metricBuckets, metricOther}

// sum is a size that some metrics add up to.
func (n *numbers) sum(metrics ...string) dated {
	d := dated{taken: n.taken, file: n.name}
	for _, m := range metrics {
		d.bytes += n.value[m]
	}
	return d
}

// newMemoryAccount is about the moment at which the kernel was asked; without that, the one at which the runtime was;
// without both, the last sample that tells.
func newMemoryAccount(r *Reading) memoryAccount {
	a := memoryAccount{unread: cmp.Or(r.noMemory, "not captured: evidence of the kind runtime has them, from /proc")}
	if n := len(r.memory); n > 0 {
		k := &r.memory[n-1]
		a.kernel, a.rss = k, dated{float64(k.RSS), k.taken, k.file}
		if k.Mapped != nil {
			a.rss.bytes = float64(k.Mapped.RSS)
		}
	}
	at := a.rss.taken
	if a.of = classesNear(r, at); a.of != nil {
		a.goHeld = a.of.sum(memoryClasses[:]...)
		if at.IsZero() {
			at = a.goHeld.taken
		}
	}
	if a.sample = sampleNear(r, at); a.sample != nil {
		for size, id := range map[*dated]vitals.ID{&a.rss: vitals.RSS, &a.goHeld: vitals.GoMemory} {
			if v, ok := a.sample.Get(id); ok && size.bytes == 0 {
				*size = dated{v, a.sample.Time, "vitals"}
			}
		}
	}
	a.live = a.liveNear(r)
	a.after = a.live.taken.After(a.goHeld.taken)
	return a
}

// nearest is the item that was taken nearest to a moment, of those that tell; the last one for no moment.
func nearest[T any](items []T, at time.Time, taken func(*T) time.Time, tells func(*T) bool) (best *T) {
	for i := range items {
		if x := &items[i]; tells(x) && (best == nil || at.IsZero() ||
			taken(x).Sub(at).Abs() < taken(best).Sub(at).Abs()) {
			best = x
		}
	}
	return best
}

// classesNear are the numbers with the classes of memory that are nearest to a moment.
func classesNear(r *Reading, at time.Time) *numbers {
	return nearest(r.numbers, at, func(n *numbers) time.Time { return n.taken }, func(n *numbers) bool {
		for _, c := range [...]string{metricObjects, metricUnused, metricFree, metricStacks, metricForGC, metricOther} {
			if _, has := n.value[c]; !has {
				return false
			}
		}
		return true
	})
}

// sampleNear is the sample of the vitals nearest to a moment that tells what Go holds or what is resident.
func sampleNear(r *Reading, at time.Time) *vitals.Sample {
	return sampleWith(r, at, vitals.GoMemory, vitals.RSS)
}

// sampleWith is the sample nearest to a moment that tells one of some sizes.
func sampleWith(r *Reading, at time.Time, ids ...vitals.ID) *vitals.Sample {
	return nearest(r.Vitals, at, func(s *vitals.Sample) time.Time { return s.Time }, func(s *vitals.Sample) bool {
		return slices.ContainsFunc(ids, func(id vitals.ID) bool { v, ok := s.Get(id); return ok && v > 0 })
	})
}

// liveNear is what a collection left of the heap: the runtime's own figure; what the vitals tell of the collection
// nearest to the moment; or a heap profile after a collection, which is a sample.
func (a *memoryAccount) liveNear(r *Reading) dated {
	if a.of != nil && a.of.value[metricHeapLive] > 0 {
		return a.of.sum(metricHeapLive)
	}
	at := a.goHeld.taken
	if at.IsZero() && len(r.Vitals) > 0 {
		at = r.Vitals[0].Time // it shows least garbage to be alive
	}
	if s := sampleWith(r, at, vitals.HeapLive); s != nil {
		v, _ := s.Get(vitals.HeapLive)
		return dated{v, s.Time, "vitals"}
	}
	if h := r.heap(); h != nil && wasCollected(r, h.set) && sampled(h.liveBytes, h.liveObjects, h.rate) >=
		minLiveSamples {
		return dated{h.liveBytes, h.set.Taken, h.set.Name}
	}
	return dated{}
}

// minLiveSamples is how many sampled objects a heap profile needs to say what is live: ±14 % at 95 %.
const minLiveSamples = 200
