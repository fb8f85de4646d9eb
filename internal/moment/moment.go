// Package moment leaves of a profile what is of the time that it was taken.
//
// The problem: a database of profiles adds up what it is sent. A heap profile has beside what is in use the allocations
// since the start of the process; pushed as they are, all of them would be shown as made in the ten seconds of the
// profile, again with each profile. The approach: those values are left out. The limit: mutex and block profiles since
// the start of the process cannot be told from those of a window; who calls knows what it took.
package moment

import "github.com/google/pprof/profile"

// sinceStart reports whether a value of a heap profile counts from the start of the process on.
func sinceStart(value string) bool { return value == "alloc_objects" || value == "alloc_space" }

// Narrow leaves those values out, and the samples that have no other. It reports whether it left any out; of a profile
// that has no others it leaves all.
func Narrow(p *profile.Profile) bool {
	keep := make([]int, 0, len(p.SampleType))
	for i, t := range p.SampleType {
		if !sinceStart(t.Type) {
			keep = append(keep, i)
		}
	}
	if len(keep) == len(p.SampleType) || len(keep) == 0 {
		return false
	}
	narrow(p, keep)
	return true
}

// narrow leaves only some values in a profile, and the samples that have one.
func narrow(p *profile.Profile, keep []int) {
	types := make([]*profile.ValueType, len(keep))
	for i, k := range keep {
		types[i] = p.SampleType[k]
	}
	samples := p.Sample[:0]
	for _, s := range p.Sample {
		kept, some := make([]int64, len(keep)), false
		for i, k := range keep {
			kept[i] = s.Value[k]
			some = some || kept[i] != 0
		}
		if s.Value = kept; some {
			samples = append(samples, s)
		}
	}
	p.SampleType, p.Sample, p.DefaultSampleType = types, samples, types[len(types)-1].Type
}
