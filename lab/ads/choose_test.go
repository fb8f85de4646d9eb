package ads

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// someCandidates draws candidates with few scores, so that many are equal.
func someCandidates(r *rand.Rand, n int) []candidate {
	out := make([]candidate, n)
	for i := range out {
		out[i] = candidate{ad: &ad{publishedAd: publishedAd{ID: int64(i)}}, campaign: &campaign{id: r.Int64N(20)},
			score: r.Int64N(10)}
	}
	r.Shuffle(n, func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// TestBest compares with sorting all, for the candidates in one part and in several.
func TestBest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		all, n := someCandidates(r, r.IntN(60)), 1+r.IntN(40)
		want := slices.Clone(all)
		slices.SortFunc(want, ranking)
		want = want[:min(n, len(want))]
		cut := len(all) / 3
		for name, found := range map[string][][]candidate{"one part": {slices.Clone(all)},
			"parts": {all[:cut], nil, all[cut:]}} {
			if got := best(found, n); !slices.Equal(got, want) {
				t.Fatalf("%s: the best %d of %d are not those of sorting all", name, n, len(all))
			}
		}
	}
}

func TestFill(t *testing.T) {
	one, two, three := &campaign{id: 1}, &campaign{id: 2}, &campaign{id: 3}
	of := func(c *campaign, most, seen int64) candidate {
		return candidate{ad: &ad{publishedAd: publishedAd{Cap: most}}, campaign: c, seen: seen}
	}
	for _, tt := range []struct {
		name       string
		candidates []candidate
		slots      int
		want       []int // the slot of each
	}{
		{"in order, as many as there are slots", []candidate{of(one, 5, 0), of(two, 5, 0), of(three, 5, 0)}, 2,
			[]int{1, 2, 0}},
		{"not beyond its cap", []candidate{of(one, 5, 5), of(two, 5, 4)}, 2, []int{0, 1}},
		{"once a campaign", []candidate{of(one, 5, 0), of(one, 5, 0), of(two, 5, 0)}, 3, []int{1, 0, 2}},
		{"caps not known: only what has none", []candidate{of(one, 5, -1), of(two, 0, -1)}, 2, []int{0, 1}},
		{"none", nil, 3, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			filled := 0
			for _, slot := range tt.want {
				filled = max(filled, slot)
			}
			if got := fill(tt.candidates, tt.slots); got != filled {
				t.Errorf("%d slots filled, want %d", got, filled)
			}
			for i, c := range tt.candidates {
				if c.slot != tt.want[i] {
					t.Errorf("candidate %d got slot %d, want %d", i, c.slot, tt.want[i])
				}
			}
		})
	}
}
