package lab

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gocasebook/casebook/lab/feature"
)

// featureService is the API tier of a feature store. One of two CPUs is its own; the other is its load's and the
// compute tier's. The article's 10,000 requests a second are scaled to that.
func featureService() Service {
	return Service{
		Name: "feature",
		Text: "the API tier of a feature store: the few numbers that a model takes, out of groups that the compute " +
			"tier has",
		Diseases: []Disease{
			{
				Name: "decode-whole", Sick: "decoding all of an answer into map[string]any for 18 to 32 of its numbers",
				Cure:     "reading only these",
				Article:  "a faster codec, fewer decodes",
				SickArgs: []string{"-decode", "whole"}, CuredArgs: []string{"-decode", "fields"},
				CPUs: 1,
				Rig:  featureDecoding,
				Want: Want{Kinds: []string{"cpu-json"}, Function: "readWhole"},
				Key:  "cpu_per_request",
			},
			{
				Name: "single-call", Sick: "one call of the compute tier, of which 3 % are slow",
				Cure:     "a second call when the first is late: remedy/hedge",
				Article:  "p99 20–60 ms → 6 ms, errors 1 ‰ → 0.1 ‰",
				SickArgs: []string{"-call", "single"}, CuredArgs: []string{"-call", "hedged"},
				CPUs: 1,
				Rig:  featureCalls,
				Want: Want{Kinds: []string{"slow-dependency"}, Function: "feature.(*client).get"},
				Key:  "p99", Reported: 0.15, Also: []Reported{{"errors", 0.1}},
				Note: "2,500 requests a second are what one core of two bears beside two replicas of the compute " +
					"tier; the article's tier had a fleet for 100,000. Requests fail that take longer than the 100 " +
					"ms for which the API tier waits.",
			},
		},
	}
}

// computeService is the compute tier by itself: the load is what the API tier would ask.
func computeService() Service {
	return Service{
		Name: "compute",
		Text: "the compute tier of a feature store: groups of features from a local cache over Redis over an " +
			"expensive computation",
		Diseases: []Disease{
			{
				Name:     "join-decode",
				Sick:     "cached groups decoded into map[string]any and encoded again for each answer",
				Cure:     "their bytes copied",
				Article:  "a faster codec, fewer decodes",
				SickArgs: []string{"-join", "decode"}, CuredArgs: []string{"-join", "copy"},
				CPUs: 1,
				Rig:  computeJoins,
				Want: Want{Kinds: []string{"cpu-json"}, Function: "joinDecoded"},
				Key:  "cpu_per_request",
			},
			{
				Name: "decoded-cache", Sick: "an LRU of groups as structs: 2.8 million objects",
				Cure:     "their bytes in remedy/cache",
				Article:  "2–3 million objects → 120,000",
				SickArgs: []string{"-cache", "decoded"}, CuredArgs: []string{"-cache", "segments"},
				CPUs: 1,
				Rig:  computeCaches,
				Want: Want{Kinds: []string{"gc-pointer-heap"}, Function: "feature"},
				Key:  "heap_objects", Reported: 0.05,
				Note: "The cured form copies bytes where the sick one encodes structs, which saves more than what is " +
					"promised for the collector.",
			},
			{
				Name: "expiry-boundary",
				Sick: "keys of feature, user and minute: all is missing at second 0 of a minute, which is a second " +
					"here",
				Cure:     "lifetimes spread over half of it",
				Article:  "p99 20–60 ms → 6 ms, errors 1 ‰ → 0.1 ‰",
				SickArgs: []string{"-expiry", "keyed"}, CuredArgs: []string{"-expiry", "jitter"},
				CPUs: 1,
				Rig:  computeExpiry,
				Want: Want{Kinds: []string{"expiry-stampede"}, Function: "feature.(*Compute).loadUser"},
				Key:  "p99", Reported: 0.15, Also: []Reported{{"errors", 0.1}},
				Note: "A watch that samples once a second cannot see what is over within one; the case has the CPU " +
					"twenty times a second.",
			},
			{
				Name: "expiry-minute",
				Sick: "keys of feature, user and minute: all is missing at second 0 of each minute of the clock",
				Cure: "lifetimes spread over half of it", Alone: true,
				Article:  "spikes in seconds 0–10 of each minute; p99 20–60 ms → 6 ms, errors 1 ‰ → 0.1 ‰",
				SickArgs: []string{"-expiry", "keyed"}, CuredArgs: []string{"-expiry", "jitter"},
				CPUs: 1,
				Rig:  computeMinutes,
				Want: Want{Kinds: []string{"expiry-stampede"}, Function: "feature.(*Compute).loadUser"},
				Key:  "p99", Reported: 0.15, Also: []Reported{{"errors", 0.1}},
			},
		},
	}
}

// The tiers' rates are what one core of two bears of their sick forms, the other being the load's and what they depend
// on: 2,500 a second with two replicas behind the API tier, 1,200 with the reloads of each period, up to 5,000 where
// nothing is reloaded.

// featureUsers is whom the requests are about: as many as the compute tier's cache holds.
const featureUsers = 4000

// A featureGroup of 200 events is computed and written in 20 µs, so that the caches are warm within a second.
var warmCompute = []string{"-warm", strconv.Itoa(featureUsers), "-cache-groups", strconv.Itoa(5 * featureUsers),
	"-events", "200", "-period", "10m"}

// computeTier starts a compute tier with Redis and gives its URL.
func computeTier(ctx context.Context, s Starter, redis string, extra ...string) (string, error) {
	var at struct{ Listen string }
	args := append([]string{"-listen", "127.0.0.1:0", "-pprof", "", "-redis", redis}, warmCompute...)
	if err := s.Lab(ctx, "compute", append(args, extra...), &at); err != nil {
		return "", err
	}
	return "http://" + at.Listen, nil
}

// featureRig is an API tier on replicas of the compute tier.
func featureRig(ctx context.Context, s Starter, rate float64, replicas int, compute, api []string) (Rig, error) {
	redis, err := s.Redis(ctx)
	if err != nil {
		return Rig{}, err
	}
	var urls []string
	for range replicas {
		url, err := computeTier(ctx, s, redis, compute...)
		if err != nil {
			return Rig{}, err
		}
		urls = append(urls, url)
	}
	args := []string{"-listen", "127.0.0.1:{port}", "-pprof", "127.0.0.1:{pprof}", "-compute-url",
		strings.Join(urls, ",")}
	return Rig{Args: append(args, api...), Ready: "/readyz", Rate: rate,
		Request: asks(feature.Requests(featureUsers, ""))}, nil
}

func featureDecoding(ctx context.Context, s Starter) (Rig, error) {
	r, err := featureRig(ctx, s, 4300, 1, nil, []string{"-call", "single"})
	r.Busy, r.Callers = saturated, callers
	return r, err
}

// featureCalls: with 1 % of slow calls p99 would lie on the edge between quick and slow ones, and differ from second to
// second; with 3 % it is well within the slow, 44 ms. A pause of 40 ms in the mean is over the API tier's 100 ms in 8
// of 100: 2.5 ‰ of the requests fail.
func featureCalls(ctx context.Context, s Starter) (Rig, error) {
	rig, err := featureRig(ctx, s, 2500, 2, []string{"-pause-share", "0.03", "-pause-mean", "40ms"},
		[]string{"-decode", "fields"})
	rig.Metrics = "/metrics" // no CPU is used while a call is slow, and nothing grows: only the requests show it
	rig.Passes = 12          // the cured form's p99 is that of some thirty slow calls a turn, and wanders
	return rig, err
}

// computeRig is a compute tier with Redis.
func computeRig(ctx context.Context, s Starter, rate float64, users int, args ...string) (Rig, error) {
	redis, err := s.Redis(ctx)
	if err != nil {
		return Rig{}, err
	}
	return Rig{
		Args:  append([]string{"-listen", "127.0.0.1:{port}", "-pprof", "127.0.0.1:{pprof}", "-redis", redis}, args...),
		Ready: "/readyz", Rate: rate, Request: asks(feature.ComputeRequests(users, "")),
	}, nil
}

func computeJoins(ctx context.Context, s Starter) (Rig, error) {
	r, err := computeRig(ctx, s, 3600, featureUsers, warmCompute...)
	r.Busy, r.Callers = saturated, callers
	return r, err
}

// computeCaches: 20,000 groups. GOMEMLIMIT leaves what lives a third more, so that the limit is not the first thing to change, and the
// load is more than the sick form can do: with today's collector its objects are no trouble to a process with CPU to
// spare.
func computeCaches(ctx context.Context, s Starter) (Rig, error) {
	const users = 5000
	r, err := computeRig(ctx, s, 3000, users, "-warm", strconv.Itoa(users), "-cache-groups", strconv.Itoa(4*users),
		"-events", "200", "-period", "10m")
	r.Env = []string{"GOMEMLIMIT=132MiB", "GOGC=100"}
	r.Busy, r.Callers = saturated, callers
	return r, err
}

// computeExpiry: a minute is a second here, so that each round of the measurement has its second 0. The reloads of a
// period, 0.7 to 1.2 ms for each of 300 users, are a third of the CPU when they are spread. When they are not, they and
// the requests that come meanwhile are more than all of it, so that more wait than the service takes on.
func computeExpiry(ctx context.Context, s Starter) (Rig, error) {
	const users = 300
	r, err := computeRig(ctx, s, 1700, users, "-warm", strconv.Itoa(users), "-cache-groups", strconv.Itoa(5*users),
		"-events", "28000", "-period", "1s")
	r.Window, r.Metrics, r.Period = time.Second, "/metrics", time.Second
	return r, err
}

// computeMinutes has real minutes: the reloads of one are 5,000 times 1.2 ms, six seconds of the CPU. Each turn is
// three windows of 20 s and so has each second of a minute once; five spikes open a case.
func computeMinutes(ctx context.Context, s Starter) (Rig, error) {
	const users = 5000
	r, err := computeRig(ctx, s, 900, users, "-warm", strconv.Itoa(users), "-cache-groups", strconv.Itoa(10*users),
		"-events", "28000", "-period", "1m")
	r.Window, r.Metrics, r.Patience = 20*time.Second, "/metrics", 7*time.Minute
	return r, err
}

// asks makes requests of their paths.
func asks(path func(i uint64) string) func(addr string, i uint64) (*http.Request, error) {
	return func(addr string, i uint64) (*http.Request, error) {
		return http.NewRequest(http.MethodGet, "http://"+addr+path(i), nil)
	}
}
