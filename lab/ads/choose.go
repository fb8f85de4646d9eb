package ads

import (
	"cmp"
	"slices"
)

// best returns the n candidates with the highest scores, the best first; of equals the one with the smaller id. It
// sorts what was found in one part where it is.
func best(found [][]candidate, n int) []candidate {
	all := found[0]
	if len(found) > 1 {
		all = slices.Concat(found...)
	}
	slices.SortFunc(all, ranking)
	return all[:min(n, len(all))]
}

func ranking(a, b candidate) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.ad.ID, b.ad.ID))
}

// fill gives slots to the candidates that the user may still see, the best first, and says how many got one. A campaign
// gets one slot. Where it is not known how often the user has seen a campaign, only ads without a cap are shown.
func fill(candidates []candidate, slots int) int {
	filled := 0
	for i := range candidates {
		if filled == slots {
			break
		}
		c := &candidates[i]
		if c.capped() || taken(candidates[:i], c.campaign) {
			continue
		}
		filled++
		c.slot = filled
	}
	return filled
}

func (c *candidate) capped() bool { return c.ad.Cap > 0 && (c.seen < 0 || c.seen >= c.ad.Cap) }

func taken(before []candidate, of *campaign) bool {
	for i := range before {
		if before[i].slot > 0 && before[i].campaign == of {
			return true
		}
	}
	return false
}
