package lab

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/gocasebook/casebook/lab/phones"
)

// phonesService is the gateway of `lab demo`.
func phonesService() Service {
	return Service{
		Name: "phones",
		Text: "a gateway that says whose phone number a buyer may see, with caches in front of three upstreams",
		Diseases: append([]Disease{
			{
				Name: "gcache", Sick: "bluele/gcache: seven heap objects an entry", Cure: "remedy/cache: no pointers",
				Article:  "GC time halved, responses 1.8× faster (with ccache)",
				SickArgs: []string{"-cache", "gcache"}, CuredArgs: []string{"-cache", "remedy"},
				CPUs: 1,
				Rig:  phonesCaches,
				Want: Want{Kinds: []string{"gc-pointer-heap"}, Function: "gcache"},
				Key:  "gc_cpu", Reported: 0.5,
				Note: "This row has no CPU quota, so that nothing is throttled; phones/gcache-quota has one. What fails " +
					"here finds all callers waiting.",
			},
			{
				Name: "gcache-ccache", Sick: "bluele/gcache: seven heap objects an entry",
				Cure:     "karlseguin/ccache: four",
				Article:  "GC time halved, responses 1.8× faster, throttling ÷8, errors halved",
				SickArgs: []string{"-cache", "gcache"}, CuredArgs: []string{"-cache", "ccache"},
				CPUs: 1,
				Rig:  phonesCaches,
				Want: Want{Kinds: []string{"gc-pointer-heap"}, Function: "gcache"},
				Key:  "gc_cpu", Reported: 0.5,
				Note: "A cycle over ccache's entries costs today's collector nearly what one over gcache's does " +
					"(gc_cycle and gc_pause here, and go test -bench Cache ./lab/phones). What is gained here is " +
					"room: the heap is smaller at the same memory limit, so that cycles are rarer. The article's " +
					"benchmark had ccache 69 times as fast. A Get or a Set is at most twice as fast; a ratio of that " +
					"size comes only from making the cache within what is measured, where gcache makes its whole " +
					"table and ccache nothing (way=fresh of that benchmark).",
			},
			{
				Name: "gcache-quota", Sick: "bluele/gcache, under a CPU quota: the collector's cycles use it up",
				Cure:     "remedy/cache: no pointers",
				Article:  "throttling 0.8 → 0.1 (÷8), errors halved",
				SickArgs: []string{"-cache", "gcache"}, CuredArgs: []string{"-cache", "remedy"},
				Rig: phonesQuota, Quota: 0.6,
				Want: Want{Kinds: []string{"gc-pointer-heap"}, Function: "gcache"},
				Key:  "throttled", Reported: 0.125, Also: []Reported{{"errors", 0.5}},
				Note: "The article's cure was ccache, whose entries cost today's collector nearly as much; here it " +
					"is a cache without pointers.",
			},
		}, append(phonesUpstreamDiseases(), phonesSetDiseases()...)...),
	}
}

// The gateway's caches, a fifth of the demo's, so that they fill within seconds. GOMEMLIMIT leaves what lives, 255 MiB
// with gcache, a quarter more, so that a cycle follows the other within seconds: with GOGC=100 alone one takes 1 % of the
// CPU here. With less room the limit would be the first thing to change, and the pointers the second. Callers have pools
// of connections: the memory of any number of them that wait for a cycle to end would use the room up.
const (
	phonesEntries = 1_000_000
	phonesMemory  = "GOMEMLIMIT=400MiB"
	phonesUsers   = 1_000_000
	phonesItems   = phonesEntries + phonesEntries/20 // most requests find a warm entry, and some push one out
)

// phonesQuota is the gateway at a rate for which one core is not enough while the collector marks. Callers wait as long
// as the article's did, and the turns are long enough for a queue to grow.
func phonesQuota(ctx context.Context, s Starter) (Rig, error) {
	rig, err := phonesCaches(ctx, s)
	rig.Env = []string{"GOMEMLIMIT=385MiB", "GOGC=100"}
	rig.Rate, rig.Timeout, rig.Window, rig.Passes = 5500, 300*time.Millisecond, time.Second, 10
	return rig, err
}

// phonesCaches is the gateway with full caches.
func phonesCaches(ctx context.Context, s Starter) (Rig, error) {
	var up struct{ Items, Users, Tracking string }
	if err := s.Lab(ctx, "upstreams", nil, &up); err != nil {
		return Rig{}, err
	}
	url := phones.Requests(1, phonesUsers, phonesItems, "")
	return Rig{
		Args: []string{
			"-listen", "127.0.0.1:{port}", "-pprof", "127.0.0.1:{pprof}", "-set", "map",
			"-cache-size", strconv.Itoa(phonesEntries), "-warm", strconv.Itoa(phonesEntries),
			"-users", strconv.Itoa(phonesUsers), "-items", strconv.Itoa(phonesItems),
			"-items-url", "http://" + up.Items, "-users-url", "http://" + up.Users, "-tracking-url",
			"http://" + up.Tracking,
		},
		Env:   []string{phonesMemory, "GOGC=100"},
		Ready: "/readyz",
		Request: func(addr string, i uint64) (*http.Request, error) {
			return http.NewRequest(http.MethodGet, "http://"+addr+url(i), nil)
		},
		Rate: 7200, Callers: 100, Passes: 16,
	}, nil
}
