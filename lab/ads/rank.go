package ads

import "cmp"

// rank chooses the best of the ads at some places of a shelf.
type rank func(q *offerQuery, on *shelf, found []int, f flows) []*offer

// newRank ranks with the temporary data that the flag -notes names.
func newRank(form string) rank {
	if form == notesMaps {
		return rankByMaps
	}
	return rankBySlice
}

// byScore has the higher score first; of equals the smaller id.
func byScore(scoreA, scoreB int64, a, b *offer) int {
	return cmp.Or(cmp.Compare(scoreB, scoreA), cmp.Compare(a.id, b.id))
}
