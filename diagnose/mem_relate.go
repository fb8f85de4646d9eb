package diagnose

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
)

// waitOver lists the kinds that say more exactly what a general one says about goroutines at a place, or the collector.
func waitOver() map[string][]string {
	return map[string][]string{
		"goroutine-surge":  {"goroutine-leak", "connection-leak", "goroutine-stuck", "goroutine-deadlock", "chan-bottleneck", "lock-held-io", "thread-surge"},
		"lock-contention":  {"goroutine-deadlock", "lock-held-io", "lock-rwmutex"},
		"lock-rwmutex":     {"goroutine-deadlock", "lock-held-io"},
		"lock-held-io":     {"goroutine-deadlock"},
		"chan-bottleneck":  {"goroutine-stuck"},
		"gc-cpu":           {"gc-death-spiral", "gc-frequency"},
		"mem-leak":         {"timer-leak", "goroutine-leak", "mem-subslice-retained"},
		"alloc-site":       {"mem-giant", "lock-syncmap", "timer-leak"},
		"cpu-hot-function": {"lock-rwmutex", "lock-syncmap", "gc-forced", "gc-finalizers", "mem-giant", "timer-leak", "net-dns-tls", "net-no-keepalive", "net-round-trips"},
		"gc-frequency":     {"gc-death-spiral", "gc-forced"},
	}
}

// runtimeCauses are the kinds that explain findings about memory, the collector and waits.
func runtimeCauses() []cause {
	var out []cause
	for symptom, kinds := range map[string][]string{
		"gc-cpu":            {"gc-forced", "gc-frequency", "gc-finalizers", "mem-giant"},
		"gc-assist":         {"gc-pointer-heap", "alloc-site", "gc-frequency", "gc-death-spiral"},
		"gc-frequency":      {"alloc-site", "gc-forced"},
		"gc-death-spiral":   {"mem-leak", "mem-giant", "gc-pointer-heap", "mem-map-never-shrinks"},
		"mem-leak":          {"goroutine-leak", "timer-leak", "connection-leak"},
		"mem-stacks":        {"goroutine-leak", "goroutine-surge", "connection-leak"},
		"net-dns-tls":       {"net-no-keepalive"},
		"net-no-keepalive":  {"connection-leak"},
		"goroutine-surge":   {"lock-contention", "lock-held-io", "chan-bottleneck", "goroutine-deadlock", "goroutine-stuck"},
		"goroutine-stuck":   {"goroutine-deadlock"},
		"goroutine-leak":    {"goroutine-deadlock"},
		"lock-contention":   {"gc-forced"},
		"mem-fragmentation": {"mem-giant"},
	} {
		for _, k := range kinds {
			out = append(out, cause{symptom, k, anywhere})
		}
	}
	for _, c := range garbageCauses() {
		out = append(out, cause{"gc-frequency", c.cause, anywhere}, cause{"gc-assist", c.cause, anywhere})
	}
	for _, d := range costDetectors() { // what the reader of a channel is busy with
		out = append(out, cause{"chan-bottleneck", d.Kind, mentioned})
	}
	out = append(out, cause{"chan-bottleneck", "cpu-hot-function", mentioned})
	slices.SortFunc(out, func(a, b cause) int { return cmp.Or(cmp.Compare(a.symptom, b.symptom), cmp.Compare(a.cause, b.cause)) })
	return out
}

// sureEnough is the confidence below which a specific finding is added to the general one instead of replacing it.
const sureEnough = 0.65

// absorbWaits folds a general finding into a specific one that names the same function among the first places. The
// collector has no place of its own. The higher score stays, and the absorbed one's numbers are added.
func absorbWaits(fs []casefile.Finding) []casefile.Finding {
	over := waitOver()
	gone := make([]bool, len(fs))
	for i, general := range fs {
		for j := range fs {
			if gone[i] || gone[j] {
				continue
			}
			if general.Score > capNotice && fs[j].Confidence < sureEnough && sameGrowth(fs[j], general) {
				// It is certain that it grows, but not that parts keep the whole: limit it first, and copy parts if
				// there are any.
				gone[j] = true
				fs[i].Score = max(general.Score, fs[j].Score)
				fs[i].Remedies = slices.Insert(slices.Clone(general.Remedies), min(1, len(general.Remedies)), fs[j].Remedies[0])
				continue
			}
			if fs[j].Confidence < sureEnough && !sameGrowth(fs[j], general) || !slices.Contains(over[general.Kind], fs[j].Kind) || !samePlace(fs[j], general) || !forcedMost(fs[j], general) {
				continue
			}
			gone[i] = true
			fs[j].Score = max(fs[j].Score, general.Score)
			if !saidAlready(general.Kind, fs[j].Kind) {
				fs[j].Summary += fmt.Sprintf(" %s (%s).", general.Title, general.Kind)
			}
			fs[j].Evidence = addBasis(fs[j].Evidence, general.Evidence)
		}
	}
	out := without(fs, gone)
	slices.SortStableFunc(out, byScore)
	return out
}

// saidAlready reports whether a general finding has nothing to add to a specific one but the same number, counted a little
// differently.
func saidAlready(general, specific string) bool {
	return general == "goroutine-surge" && specific == "goroutine-leak" || general == "gc-cpu" && specific == "gc-frequency" || general == "mem-leak" && specific == "mem-subslice-retained"
}

// forcedMost reports whether forced collections, if a finding is of them, are half or more of what the collector takes.
func forcedMost(specific, general casefile.Finding) bool {
	return specific.Kind != "gc-forced" || 2*specific.Impact.Share >= general.Impact.Share
}

// sameGrowth reports whether the inputs that stay are read at the very line that allocates the growth: it is the same
// memory, whatever keeps it.
func sameGrowth(specific, general casefile.Finding) bool {
	if specific.Kind != "mem-subslice-retained" || general.Kind != "mem-leak" || len(specific.Where) == 0 || len(general.Where) == 0 {
		return false
	}
	return specific.Where[0].Function == general.Where[0].Function && specific.Where[0].Line == general.Where[0].Line
}

// samePlace reports whether two findings share a function among their first two places.
func samePlace(a, b casefile.Finding) bool {
	if b.Kind == "gc-cpu" || b.Kind == "gc-frequency" {
		return true
	}
	first := 2
	if a.Kind == "goroutine-deadlock" {
		first = len(a.Where) // all of which wait for its locks
	}
	for _, p := range a.Where[:min(len(a.Where), first)] {
		for _, q := range b.Where[:min(len(b.Where), 2)] {
			if p.Function == q.Function {
				return true
			}
		}
	}
	return false
}
