package ads

import (
	"slices"
	"time"
)

// A scored is an ad and how well it fits.
type scored struct {
	offer *offer
	score int64
}

// rankBySlice keeps scores beside the ads, and counts advertisers by their numbers, where a request asks for variety.
func rankBySlice(q *offerQuery, on *shelf, found []int, f flows) []*offer {
	all := make([]scored, 0, len(found))
	now := time.Now()
	for _, i := range found {
		o := &on.offers[i]
		if flow := f.of(now, q.topic, o); flow.lets(q.user, o.id) {
			all = append(all, scored{o, o.bid * flow.weight})
		}
	}
	slices.SortFunc(all, func(a, b scored) int { return byScore(a.score, b.score, a.offer, b.offer) })
	var shown map[int64]int
	if q.varied {
		shown = make(map[int64]int, q.most)
	}
	best := make([]*offer, 0, min(q.most, len(all)))
	for _, s := range all {
		if len(best) == q.most {
			break
		}
		if q.varied {
			if shown[s.offer.advertiser] == sameAdvertiser {
				continue
			}
			shown[s.offer.advertiser]++
		}
		best = append(best, s.offer)
	}
	return best
}
