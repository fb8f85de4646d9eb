package lab

import (
	"context"
	"net/http"
	"strings"

	"github.com/gocasebook/casebook/lab/phones"
)

// phonesSetDiseases are those of the call-tracking users: the gateway has one CPU for itself and asks no upstream, so
// that what is measured is the set.
func phonesSetDiseases() []Disease {
	return []Disease{
		{
			Name: "array-set", Sick: "call-tracking users in an array, scanned for each seller", Cure: "a map",
			Article:  "reads 100× faster at 12,000 users",
			SickArgs: []string{"-set", "array"}, CuredArgs: []string{"-set", "map"},
			CPUs: 1,
			Rig:  phonesPages,
			Want: Want{Kinds: []string{"cpu-linear-search"}, Function: "arraySet"},
			Key:  "cpu",
			Note: "The article's ratio is of one look into the set: 2.3 µs against 25 ns here (go test -bench Set " +
				"./lab/phones). A request also has HTTP around it, the same in both forms: for one phone the array " +
				"is 2 % of the CPU, for the 500 sellers of these pages most of it.",
		},
		{
			Name: "double-scan", Sick: "ApplyItems scans the array twice for each user that changes",
			Cure:      "all changes in one walk",
			Article:   "double scan in ApplyItems: 60 % less",
			SickArgs:  []string{"-set", "array", "-apply", "scan"},
			CuredArgs: []string{"-set", "array", "-apply", "merge"},
			CPUs:      1,
			Rig:       phonesSyncs,
			Want:      Want{Kinds: []string{"cpu-linear-search", "cpu-quadratic"}, Function: "applyItems"},
			Key:       "cpu", Reported: 0.4,
			Note: "The gain depends on how many users one sync changes: the scans cost as much for each, the walk is " +
				"paid once.",
		},
	}
}

const (
	pageSellers = 500  // of one request: ten pages of search results
	syncUsers   = 1000 // of one sync, of 24,000 that have call tracking or may have it
)

// phonesPages is the gateway asked for the sellers of search results.
func phonesPages(ctx context.Context, s Starter) (Rig, error) {
	rig, err := phonesSet(ctx, s)
	path := phones.TrackedRequests(1, pageSellers)
	rig.Request = func(addr string, i uint64) (*http.Request, error) {
		return http.NewRequest(http.MethodGet, "http://"+addr+path(i), nil)
	}
	rig.Rate, rig.Busy, rig.Callers = 800, saturated, callers
	return rig, err
}

// phonesSyncs is the gateway that is told of changes.
func phonesSyncs(ctx context.Context, s Starter) (Rig, error) {
	rig, err := phonesSet(ctx, s)
	body := phones.SyncRequests(1, syncUsers)
	rig.Request = func(addr string, i uint64) (*http.Request, error) {
		return http.NewRequest(http.MethodPost, "http://"+addr+"/sync", strings.NewReader(body(i)))
	}
	rig.Rate, rig.Busy, rig.Callers = 150, saturated, callers
	return rig, err
}

// phonesSet is the gateway on one CPU, without warm caches.
func phonesSet(ctx context.Context, s Starter) (Rig, error) {
	var up struct{ Items, Users, Tracking string }
	if err := s.Lab(ctx, "upstreams", nil, &up); err != nil {
		return Rig{}, err
	}
	return Rig{
		Args: []string{
			"-listen", "127.0.0.1:{port}", "-pprof", "127.0.0.1:{pprof}", "-cache", "none",
			"-items-url", "http://" + up.Items, "-users-url", "http://" + up.Users, "-tracking-url",
			"http://" + up.Tracking,
		},
		Ready: "/readyz",
	}, nil
}
