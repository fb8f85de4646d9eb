package phones

import (
	"fmt"

	"github.com/gocasebook/casebook/lab/draw"
)

// DefaultTracking is how many users have call tracking: the article's 12,000.
const DefaultTracking = 12_000

// rankStep scatters the popular items over the ids. It is a prime above every id, so that multiplying by it modulo the
// number of items permutes them.
const rankStep = 2_654_435_761

// Requests describes a load on the gateway at baseURL ("http://127.0.0.1:8080"): the function it returns gives the URL
// of the i-th request. The same arguments give the same requests. It may be called from many goroutines.
//
// The rank of the item asked for is items·u³ with u uniform between 0 and 1, which makes its density fall with the
// power −2/3 of the rank: one percent of the items draws 22 % of the requests, ten percent 46 %.
func Requests(seed uint64, users, items int, baseURL string) func(i uint64) string {
	space := NewSpace(users, items, DefaultTracking)
	return func(i uint64) string {
		item := space.pick(draw.Unit(draw.Mix(draw.Mix(seed) + i)))
		return fmt.Sprintf("%s/phone?user=%d&item=%d&category=%s&phone=%%2B%s",
			baseURL, space.owner(item), item, categoryOf(item), realPhone(item).Digits())
	}
}

// pick is the item whose place among all, by popularity, is u³.
func (s Space) pick(u float64) uint64 {
	rank := uint64(u * u * u * float64(s.Items))
	return 1 + rank*rankStep%s.Items
}
