package diagnose

import (
	"time"

	"github.com/gocasebook/casebook/diagnose/view"
	"github.com/gocasebook/casebook/vitals"
)

// A lateness describes, from the vitals, a service whose answers have become late.
type lateness struct {
	was, is float64 // median latency in seconds, or goroutines
	unit    vitals.Unit
	name    string
}

const (
	// times as much as in the first third of the vitals: more than load and noise explain
	slowTimes   = 3
	slowLatency = 1.0              // seconds: half of the requests take longer, and people give up after a few
	slowSpan    = 30 * time.Second // of vitals, at least: less has no "before"
	sameLoad    = 1.5              // times the rate of requests, or of allocation: above it load may be the cause
)

// becameLate reports whether the vitals show that requests have become slow: half of them take three times as long as
// before, and a second or more; or, if requests are not counted, that goroutines have tripled without more allocation.
func becameLate(r *Reading) (lateness, bool) {
	n := len(r.Vitals) / 3
	if n < 3 || r.Vitals[len(r.Vitals)-1].Time.Sub(r.Vitals[0].Time) < slowSpan {
		return lateness{}, false
	}
	first, last := r.Vitals[:n], r.Vitals[len(r.Vitals)-max(n/2, 3):]
	change := func(id vitals.ID) (was, is float64, ok bool) {
		was, before := meanOf(first, id)
		is, now := meanOf(last, id)
		return was, is, before && now && was > 0
	}
	if was, is, ok := change(vitals.HTTPLatencyP50); ok {
		return lateness{was, is, vitals.Seconds, "the median request took"}, is >= slowLatency && is >= slowTimes*was
	}
	for _, load := range []vitals.ID{vitals.HTTPRate, vitals.AllocRate} {
		if was, is, ok := change(load); ok && is > sameLoad*was {
			return lateness{}, false
		}
	}
	was, is, ok := change(vitals.Goroutines)
	return lateness{was, is, vitals.Count, "goroutines were"}, ok && is >= slowTimes*was
}

func meanOf(samples []vitals.Sample, id vitals.ID) (float64, bool) {
	return (&view.View{Vitals: samples}).Mean(id)
}
