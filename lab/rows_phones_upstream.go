package lab

import (
	"context"
	"net/http"
	"strconv"

	"github.com/gocasebook/casebook/lab/phones"
)

// phonesUpstreamDiseases are those of a gateway that asks an upstream for each phone.
func phonesUpstreamDiseases() []Disease {
	return []Disease{
		{
			Name:     "upstream-timeout",
			Sick:     "phones asked of an upstream that mostly takes longer than the 300 ms that the gateway waits",
			Cure:     "a cache in front of it",
			Article:  "about 300 ms and many errors, fewer of both with a cache",
			SickArgs: []string{"-cache", "none"}, CuredArgs: []string{"-cache", "remedy", "-cached", "tracking"},
			Rig:  phonesSlowTracking,
			Want: Want{Kinds: []string{"goroutine-stuck"}, Function: "phones.(*client).call"},
			Key:  "errors",
			Note: "What is not in the cache still waits for the upstream, and most of it fails: errors become fewer, " +
				"and p99 stays at the timeout. So did the article's gateway, which cached for that reason and not to " +
				"cure the upstream.",
		},
	}
}

const (
	upstreamItems   = 200_000
	upstreamEntries = 150_000 // of the caches, of which half is for call tracking: nine requests in ten find theirs
)

// phonesSlowTracking is the gateway with an upstream of which six calls in ten would take longer than the gateway
// waits.
func phonesSlowTracking(ctx context.Context, s Starter) (Rig, error) {
	rig, err := phonesUpstreams(ctx, s, "-slow", "tracking", "-slow-median", "320ms", "-slow-p99", "600ms")
	rig.Rate = 600
	return rig, err
}

// phonesUpstreams is the gateway with room in its caches for three quarters of the items. Nothing of it shows a timeout
// but its requests, so that the watch reads these from its page of metrics.
func phonesUpstreams(ctx context.Context, s Starter, upstreams ...string) (Rig, error) {
	var up struct{ Items, Users, Tracking string }
	if err := s.Lab(ctx, "upstreams", upstreams, &up); err != nil {
		return Rig{}, err
	}
	url := phones.Requests(1, upstreamItems, upstreamItems, "")
	return Rig{
		Args: []string{
			"-listen", "127.0.0.1:{port}", "-pprof", "127.0.0.1:{pprof}", "-set", "map",
			"-cache-size", strconv.Itoa(upstreamEntries), "-warm", strconv.Itoa(upstreamItems),
			"-users", strconv.Itoa(upstreamItems), "-items", strconv.Itoa(upstreamItems),
			"-items-url", "http://" + up.Items, "-users-url", "http://" + up.Users, "-tracking-url",
			"http://" + up.Tracking,
		},
		Ready: "/readyz", Metrics: "/metrics",
		Request: func(addr string, i uint64) (*http.Request, error) {
			return http.NewRequest(http.MethodGet, "http://"+addr+url(i), nil)
		},
	}, nil
}
