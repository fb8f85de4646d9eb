package feature

import (
	"fmt"

	"github.com/gocasebook/casebook/lab/draw"
)

// Requests describes a load on the API tier at baseURL ("http://127.0.0.1:8080"): the function it returns gives the URL
// of the i-th request. The same arguments give the same requests. It may be called from many goroutines.
func Requests(users int, baseURL string) func(i uint64) string {
	names := models()
	return func(i uint64) string {
		return fmt.Sprintf("%s/features?user=%d&model=%s", baseURL, pick(users, i),
			names[draw.Mix(i)>>32%uint64(len(names))].Name)
	}
}

// ComputeRequests is Requests for the compute tier: all groups of a user.
func ComputeRequests(users int, baseURL string) func(i uint64) string {
	return func(i uint64) string { return fmt.Sprintf("%s/groups?user=%d", baseURL, pick(users, i)) }
}

// pick is the user whom the i-th request is about: users·u² with u uniform between 0 and 1. One percent of the users
// draws ten percent of the requests, a quarter half of them.
func pick(users int, i uint64) uint64 {
	u := draw.Unit(draw.Mix(i ^ 0xfea7))
	return 1 + uint64(u*u*float64(users))
}
