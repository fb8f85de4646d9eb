package phones

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/lab/draw"
)

// known is how many users the loads below choose from: so many have call tracking, and as many had it or will.
const known = 2 * DefaultTracking

// TrackedRequests describes a load of pages of search results, each of so many sellers of whom half have call tracking:
// the function it returns gives the path of the i-th request. The same arguments give the same requests.
func TrackedRequests(seed uint64, sellers int) func(i uint64) string {
	return func(i uint64) string {
		b := []byte("/tracked?users=")
		h := draw.Mix(draw.Mix(seed) + i)
		for k := range sellers {
			if k > 0 {
				b = append(b, ',')
			}
			h = draw.Mix(h)
			b = strconv.AppendUint(b, 1+h%known, 10)
		}
		return string(b)
	}
}

// syncBodies is how many different bodies a load of syncs has: each some 10 kB, made once.
const syncBodies = 64

// SyncRequests describes a load of syncs, each of so many users that are switched on or off by chance: the function it
// returns gives the body of the i-th request to POST /sync. On the way the set keeps about DefaultTracking users.
func SyncRequests(seed uint64, users int) func(i uint64) string {
	bodies := make([]string, syncBodies)
	for i := range bodies {
		bodies[i] = syncBody(draw.Mix(draw.Mix(seed)+uint64(i)), users)
	}
	return func(i uint64) string { return bodies[i%syncBodies] }
}

func syncBody(h uint64, users int) string {
	var b strings.Builder
	for range users {
		h = draw.Mix(h)
		status := statusOff
		if h>>63 == 0 {
			status = 1
		}
		fmt.Fprintf(&b, `,"%d":%d`, 1+h%known, status)
	}
	return "{" + strings.TrimPrefix(b.String(), ",") + "}"
}
