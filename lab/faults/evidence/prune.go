package evidence

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"github.com/google/pprof/profile"
)

// maxPruned is the share of any total of a profile that pruning may take away: below what moves a score by a point.
const maxPruned = 0.005

// prune drops the lightest stacks of p, as few as make it fit into limit bytes, and returns it encoded. A profile that
// does not fit without losing more than maxPruned of one of its totals is an error.
func prune(p *profile.Profile, limit int) (text []byte, dropped int, err error) {
	all := heaviestFirst(p)
	fewest := fewestKept(all, totals(all))
	// the first number of stacks that no longer fits
	keep := fewest + sort.Search(len(all)-fewest+1, func(more int) bool {
		text, err = encodeFirst(p, all, fewest+more)
		return err != nil || len(text) > limit
	}) - 1
	if err != nil {
		return nil, 0, err
	}
	if keep < fewest {
		return nil, 0, fmt.Errorf("it is larger than %d bytes with %.1f %% of its weight pruned: record for less time",
			limit, 100*maxPruned)
	}
	text, err = encodeFirst(p, all, keep)
	return text, len(all) - keep, err
}

// encodeFirst encodes p with the first n of the stacks, and without the functions that only the others have.
func encodeFirst(p *profile.Profile, all []*profile.Sample, n int) ([]byte, error) {
	p.Sample = all[:n]
	return encode(p.Compact())
}

func totals(all []*profile.Sample) []int64 {
	if len(all) == 0 {
		return nil
	}
	out := make([]int64, len(all[0].Value))
	for _, s := range all {
		for i, v := range s.Value {
			out[i] += v
		}
	}
	return out
}

// heaviestFirst sorts by a stack's largest share of any total: in a heap profile one that holds little may have
// allocated much.
func heaviestFirst(p *profile.Profile) []*profile.Sample {
	all := slices.Clone(p.Sample)
	total := totals(all)
	weight := func(s *profile.Sample) (w float64) {
		for i, v := range s.Value {
			if total[i] != 0 {
				w = max(w, float64(v)/float64(total[i]))
			}
		}
		return w
	}
	slices.SortStableFunc(all, func(a, b *profile.Sample) int { return cmp.Compare(weight(b), weight(a)) })
	return all
}

// fewestKept is how many of the stacks must be kept so that no total loses more than maxPruned.
func fewestKept(all []*profile.Sample, total []int64) int {
	lost := make([]int64, len(total))
	for n := len(all); n > 0; n-- {
		for i, v := range all[n-1].Value {
			if lost[i] += v; float64(lost[i]) > maxPruned*float64(total[i]) {
				return n
			}
		}
	}
	return 0
}
