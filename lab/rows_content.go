package lab

import (
	"context"
	"strconv"

	"github.com/gocasebook/casebook/lab/ads"
)

// contentService is the content service of an advertising system, which the delivery service gets its ads from. It is
// loaded by itself.
func contentService() Service {
	return Service{
		Name: "content",
		Text: "offers the ads of a topic that a user's audience may see, after flow control, the best first",
		Diseases: []Disease{
			{
				Name: "match", Sick: "elements common to two sorted lists by nested loops",
				Cure:     "each looked up by halving the other list",
				Article:  contentArticle,
				SickArgs: []string{"-match", "nested"}, CuredArgs: []string{"-match", "search"},
				CPUs: 1, Rig: contentRig,
				Want: Want{Kinds: []string{"cpu-linear-search", "cpu-quadratic"}, Function: "ads.commonNested"},
				Key:  "cpu_per_request",
				Note: "A thousand ads of a topic against the four thousand of an audience: O(n·m) becomes O(n log " +
					"m). A profile does not say what a loop is for: the finding says \"likely\", by the function's " +
					"name.",
			},
			{
				Name: "all", Sick: "nested loops, keys of text by Sprintf in a cache, two maps " +
					"of 1,000 for each request",
				Cure:     "halving, keys of integers, a slice, and a small map only where a request needs one",
				Article:  contentArticle,
				SickArgs: []string{"-match", "nested", "-flow-by", "text", "-notes", "maps"},
				CPUs:     1, Rig: contentRig,
				Want: Want{Kinds: []string{"cpu-linear-search", "cpu-quadratic"}, Function: "ads.commonNested"},
				Key:  "cpu_per_request", Reported: 0.4, Also: []Reported{{"gc_rate", 0.75}},
				Note: "What is promised is the first finding's alone; what was cured is all.",
			},
		},
	}
}

// contentArticle was reported of all cures of the content service together.
const contentArticle = "two GCs a second; all cures together: 60 % more performance, 25 % fewer GCs"

// contentRig loads the content service with more than its one CPU can do in its sick form.
func contentRig(context.Context, Starter) (Rig, error) {
	world := ads.OfferWorld()
	args := append(world.Args(), "-listen", "127.0.0.1:{port}", "-pprof", "127.0.0.1:{pprof}",
		"-reach", strconv.Itoa(ads.OfferReach))
	return Rig{Args: args, Ready: "/healthz", Request: ads.OfferRequests(world, 20), Rate: 500, Busy: saturated,
		Callers: callers}, nil
}
