package ads

import "time"

// A flow is what flow control says of an ad: who may see it now, and how well it does.
type flow struct {
	share  int64 // of a hundred users
	weight int64 // 8: as well as others
}

// lets says whether the ad is shown to the user: a share of the users is the same for as long as the share is.
func (f flow) lets(user, ad int64) bool {
	mixed := (uint64(user)*0x9e3779b97f4a7c15 ^ uint64(ad)) * 0xbf58476d1ce4e5b9 // splitmix64's constants
	return int64(mixed>>32%100) < f.share
}

// flowLife is how long what is known of an ad is kept.
const flowLife = time.Minute

// flows is a cache of flow control, in the service's memory. It is used by several goroutines at once.
type flows interface {
	of(now time.Time, topic int, o *offer) flow
}

// newFlows makes the cache that the flag -flow-by names, with room for so many ads.
func newFlows(form string, ads int) flows {
	if form == flowText {
		return newTextFlows(ads)
	}
	return newNumberFlows(ads)
}

// askFlow stands for asking whoever controls the flow.
func askFlow(ad int64) flow {
	r := random(flowKind, uint64(ad))
	return flow{share: 40 + r.Int64N(61), weight: 4 + r.Int64N(9)}
}
