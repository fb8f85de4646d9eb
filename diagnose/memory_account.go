package diagnose

import (
	"cmp"
	"encoding/json"
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
	for _, v := range sizes {
		if v < 0 || v > maxMemory {
			return false
		}
	}
	return true
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
	a.of = classesNear(r, a.rss.taken)
	if a.of != nil {
		a.goHeld = dated{held(a.of.value), a.of.taken, a.of.name}
	}
	at := a.rss.taken
	if at.IsZero() {
		at = a.goHeld.taken
	}
	a.sample = sampleNear(r, at)
	a.fromSample()
	a.live = a.liveNear(r)
	return a
}

// fromSample takes from a sample of the vitals what nothing else tells.
func (a *memoryAccount) fromSample() {
	if a.sample == nil {
		return
	}
	for at, id := range map[*dated]vitals.ID{&a.rss: vitals.RSS, &a.goHeld: vitals.GoMemory} {
		if v, ok := a.sample.Get(id); ok && at.bytes == 0 {
			*at = dated{v, a.sample.Time, "vitals"}
		}
	}
}

// memoryClasses are the parts of what Go has from the system, returned or not (runtime/metrics, /memory/classes).
var memoryClasses = [...]string{metricObjects, metricUnused, metricFree, metricStacks, metricOSStacks, metricSpans,
	metricSpansFree, metricCaches, metricCachesFree, metricForGC, metricBuckets, metricOther}

// held is the sum of the classes: all but what was given back.
func held(values map[string]float64) (sum float64) {
	for _, c := range memoryClasses {
		sum += values[c]
	}
	return sum
}

// classesNear are the numbers with the classes of memory that are nearest to a moment; the last ones for no moment.
func classesNear(r *Reading, at time.Time) *numbers {
	var best *numbers
	for i := range r.numbers {
		n := &r.numbers[i]
		complete := true
		for _, c := range [...]string{metricObjects, metricUnused, metricFree, metricStacks, metricForGC, metricOther} {
			_, has := n.value[c]
			complete = complete && has
		}
		if complete && (best == nil || at.IsZero() || n.taken.Sub(at).Abs() <= best.taken.Sub(at).Abs()) {
			best = n
		}
	}
	return best
}

// sampleNear is the sample of the vitals nearest to a moment that tells what Go holds or what is resident; the last one
// for no moment.
func sampleNear(r *Reading, at time.Time) *vitals.Sample {
	var best *vitals.Sample
	for i := range r.Vitals {
		s := &r.Vitals[i]
		_, held := s.Get(vitals.GoMemory)
		_, known := s.Get(vitals.RSS)
		switch {
		case !held && !known:
		case best == nil, at.IsZero(), s.Time.Sub(at).Abs() < best.Time.Sub(at).Abs():
			best = s
		}
	}
	return best
}

// liveNear is what a collection left of the heap: the runtime's own figure; what the vitals tell of the collection
// nearest to the moment; or a heap profile after a collection, which is a sample.
func (a *memoryAccount) liveNear(r *Reading) dated {
	if a.of != nil && a.of.value[metricHeapLive] > 0 {
		return dated{a.of.value[metricHeapLive], a.of.taken, a.of.name}
	}
	var best dated
	for i := range r.Vitals {
		s := &r.Vitals[i]
		if v, ok := s.Get(vitals.HeapLive); ok && (best.bytes == 0 ||
			s.Time.Sub(a.goHeld.taken).Abs() < best.taken.Sub(a.goHeld.taken).Abs()) {
			best = dated{v, s.Time, "vitals"}
		}
	}
	if best.bytes == 0 {
		if h := r.heap(); h != nil && wasCollected(r, h.set) && sampled(h.liveBytes, h.liveObjects, h.rate) >=
			minLiveSamples {
			best = dated{h.liveBytes, h.set.Taken, h.set.Name}
		}
	}
	a.after = best.taken.After(a.goHeld.taken)
	return best
}

// minLiveSamples is how many sampled objects a heap profile needs to say what is live: ±14 % at 95 %.
const minLiveSamples = 200
