package prometheus

import (
	"context"
	"math"
	"slices"
	"time"

	dto "github.com/prometheus/client_model/go"
)

// Own tells what the watch itself has asked the page's server for: how long each request took that ended since the
// answer before, until this one, and how many were under way between this question and its answer.
type Own func(before, asked, answered time.Time) (ended []time.Duration, underWay int)

// LeaveOut takes the watch's own requests out of the signals. Where the series say which page was requested, those are
// left out by that; a meter around the whole server, which does not say it, counts them among its users'.
func (r *Requests) LeaveOut(own Own) { r.own = own }

// ownRequests are those of the time between two pages.
type ownRequests struct {
	ended    []time.Duration
	underWay int
}

// ownOf asks for those that a page may count which was asked for and answered then.
func (r *Requests) ownOf(asked, answered time.Time) (own ownRequests) {
	if r.own != nil {
		own.ended, own.underWay = r.own(r.scraper.at, asked, answered)
	}
	return own
}

// boundary is how many requests may be counted on one page and have ended, for who asked, after the next: those of one
// tick.
const boundary = 4

// How a meter is tried: so often the page is read again, if it is no larger and all of that is done in time, where a
// connection counts so many of the watch's own requests at least.
const (
	tries    = 4
	trySize  = 256 << 10
	tryTime  = 250 * time.Millisecond
	tryCount = tries - 1
)

// try finds out whether new meters count what the watch asks for. Most are around what users ask for, and not around
// the pages of metrics and profiles beside it. A service that is asked more often than by the watch never shows that by
// its totals; but a page that is read several times in some milliseconds does, as few users come meanwhile. One that
// does not change is kept for a while by the target, and shows nothing. A target that is slow now is tried again.
func (r *Requests) try(ctx context.Context, p sheet) {
	fresh := slices.DeleteFunc(slices.Clone(r.found), func(o *requestsOf) bool {
		return o.tried || p.at.Before(o.tryAt) || o.says(p.families)
	})
	if r.own == nil || len(fresh) == 0 || p.size > trySize {
		return
	}
	last, err := r.again(ctx)
	for _, o := range fresh {
		o.tryAt, o.tried = p.at.Add(lookAgain), err == nil
	}
	if err != nil {
		return
	}
	r.scraper.at = last.at
	for _, o := range fresh {
		n, _ := o.outcomes(last.families, r.scraper.url.Path)
		o.apart = o.apart || last.hash != p.hash && n < tryCount
	}
}

// again reads the page several times, and returns the last answer.
func (r *Requests) again(ctx context.Context) (last sheet, err error) {
	ctx, cancel := context.WithTimeout(ctx, tryTime)
	defer cancel()
	for range tries {
		if last, err = r.page(ctx); err != nil {
			return last, err
		}
		r.due = r.due.Add(last.price())
	}
	return last, nil
}

// says reports whether a meter says of each request what was requested, or is not the watch's protocol.
func (o *requestsOf) says(f families) bool {
	return o.otherProtocol || saysPage(first(f, o.counter)) || saysPage(first(f, o.duration))
}

// among returns the watch's own requests that are among n which a library has counted: none of a meter that says what
// was requested, or has shown that it does not count them: when it was tried, or by counting fewer over all pages than
// the watch has made.
func (o *requestsOf) among(own ownRequests, f families, n float64) ownRequests {
	if o.says(f) {
		return ownRequests{}
	}
	if !math.IsNaN(n) {
		o.counted, o.made = o.counted+n, o.made+float64(len(own.ended))
	}
	if o.apart = o.apart || o.counted+boundary < o.made; o.apart {
		return ownRequests{}
	}
	return own
}

// saysPage reports whether a family's series say which page was requested.
func saysPage(f *dto.MetricFamily) bool {
	return f != nil && len(f.Metric) > 0 && labelOf(f.Metric[0], pathLabels) != ""
}

// mostly reports whether of n requests no more are users' than the watch's own: their times are no users'. For the server
// a request may have ended that for who asks is still under way.
func (own ownRequests) mostly(n float64) bool {
	ended, underWay := float64(len(own.ended)), float64(own.underWay)
	return ended+underWay > 0 && n <= 2*ended+underWay
}

// others returns how many of n requests are not the watch's own; where those are few, none that may be its own.
func (own ownRequests) others(n float64) float64 {
	left := n - float64(len(own.ended))
	if own.mostly(n) {
		left -= float64(own.underWay)
	}
	return max(left, 0)
}

// without takes own requests out of the buckets that hold them, or of the next lower ones: for the server a request
// takes less time than for who asks. It returns what is left of the sum of all times.
func (own ownRequests) without(buckets []bucket, sum float64) float64 {
	for _, took := range own.ended {
		for i := len(buckets) - 1; i >= 0; i-- {
			within := i == 0 || buckets[i-1].upper < took.Seconds()
			if within && buckets[i].count >= 1 {
				buckets[i].count--
				sum -= took.Seconds()
				break
			}
		}
	}
	return max(sum, 0)
}

// told returns the quantiles that a summary has of n requests, but for those that may be the watch's own doing: of a
// quantile nothing can be taken out.
func (own ownRequests) told(n float64, quantiles [2]float64) [2]float64 {
	for i, q := range [...]float64{0.5, p99} {
		if len(own.ended) > 0 && float64(len(own.ended)) >= (1-q)*n {
			quantiles[i] = math.NaN()
		}
	}
	return quantiles
}
