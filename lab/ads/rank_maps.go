package ads

import (
	"slices"
	"time"
)

// noted is how many ads the maps of a request have room for: those of a large topic.
const noted = 1000

// rankByMaps notes scores and advertisers in maps made for the request. Few requests ask for variety.
func rankByMaps(q *offerQuery, on *shelf, found []int, f flows) []*offer {
	scores := make(map[int]int64, noted)
	shown := make(map[string]int, noted)
	now := time.Now()
	for _, i := range found {
		o := &on.offers[i]
		if flow := f.of(now, q.topic, o); flow.lets(q.user, o.id) {
			scores[i] = o.bid * flow.weight
		}
	}
	var places []int
	for i := range scores {
		places = append(places, i)
	}
	slices.SortFunc(places, func(a, b int) int {
		return byScore(scores[a], scores[b], &on.offers[a], &on.offers[b])
	})
	var best []*offer
	for _, i := range places {
		o := &on.offers[i]
		if len(best) == q.most {
			break
		}
		if q.varied {
			if shown[o.owner] == sameAdvertiser {
				continue
			}
			shown[o.owner]++
		}
		best = append(best, o)
	}
	return best
}
