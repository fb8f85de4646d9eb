package prometheus

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"maps"
	"math"
	"net/http"
	"slices"
	"sync"
	"time"

	dto "github.com/prometheus/client_model/go"

	"github.com/gocasebook/casebook/internal/redact"
	"github.com/gocasebook/casebook/vitals"
)

// Requests makes the built-in signals of requests (http_rate, http_errors, http_latency_p50, http_latency_p99,
// http_in_flight) of the metrics that usual libraries have of them, which it knows by name. It looks for them on every
// page until it finds some: a metric with labels is on no page before its first use. Make it with NewRequests.
//
// Latencies are interpolated between the buckets of a histogram, and of a summary are its own largest quantiles;
// streams, watches and websockets have none. Requests by the watch itself are left out: see LeaveOut.
type Requests struct {
	scraper *Scraper
	limit   int       // bytes of a page
	due     time.Time // when the page may be asked for again
	err     error     // why nothing comes until then
	found   []*requestsOf
	spaces  []library // that may count, as long as nothing is found
	own     Own       // nil: nobody knows
}

// A requestsOf is one library's requests on a page, and what they were on the page before.
type requestsOf struct {
	library
	total, faults growth // of counts
	times         growth // of buckets
	spent         growth // of the sum of times

	counted, made float64 // requests on all pages, and those that the watch made meanwhile
	apart         bool    // they are not counted together
	tried         bool    // whether they are
	tryAt         time.Time
}

const (
	// pageCost is what a page costs the target a byte: promhttp writes about 60 MB a second (client_golang 1.25, two
	// cores).
	pageCost = 16 * time.Nanosecond
	// pageShare is the part of one core that pages may take, as of reading MemStats.
	pageShare = 0.003
	// lookAgain is when a page that does not come is asked for again, lookSoon when one that has no metrics of requests
	// is: most have them from the first request on, and what is normal is learnt from then.
	lookAgain = time.Minute
	lookSoon  = 5 * time.Second
	// pageRest is for each page that is read, how long the others rest: one of 50 to 150 KB costs the watch
	// 1.7 ms (lab/bench/targets), so that however many pages there are, they take a sixth of a core.
	pageRest = 10 * time.Millisecond
	// maxGuessed bounds a page that the user did not name.
	maxGuessed = 4 << 20
)

// NewRequests prepares to read a page; it sends nothing yet. guessed says that nobody named the page: one of more than
// 4 MiB is then left alone, and so is one that is not there.
func NewRequests(page string, client *http.Client, guessed bool) (*Requests, error) {
	s, _, err := prepare(Config{URL: page, Client: client, Metrics: []string{"up"}})
	if err != nil {
		return nil, fmt.Errorf("prometheus: %w", err)
	}
	s.wanted = make(wanted)
	r := &Requests{scraper: s, limit: maxPage}
	if guessed {
		r.limit = maxGuessed
	}
	for _, l := range libraries {
		r.want(l)
	}
	return r, nil
}

// want selects the metrics of a library.
func (r *Requests) want(l library) {
	for _, name := range slices.Concat(l.duration, l.counter, l.started, l.inFlight) {
		r.scraper.wanted[name] = true
	}
}

// The order of the values.
const (
	httpRate = iota
	httpErrors
	httpP50
	httpP99
	httpInFlight
	numHTTP
)

// Source gives the signals.
func (r *Requests) Source() vitals.Source {
	signals := make([]vitals.Signal, numHTTP)
	for i, id := range map[int]vitals.ID{
		httpRate: vitals.HTTPRate, httpErrors: vitals.HTTPErrors, httpP50: vitals.HTTPLatencyP50,
		httpP99:      vitals.HTTPLatencyP99,
		httpInFlight: vitals.HTTPInFlight,
	} {
		signals[i] = id.Signal()
	}
	return vitals.Source{Name: "requests on " + redact.URL(r.scraper.url), Signals: signals, Read: r.read}
}

// Found names the libraries whose metrics the last page had.
func (r *Requests) Found() (titles []string) {
	for _, f := range r.found {
		titles = append(titles, f.title)
	}
	return titles
}

// Look reads the page once, to report errors now.
func (r *Requests) Look(ctx context.Context) error { return r.read(ctx, make([]float64, numHTTP)) }

// ErrNoRequests says that a page has no metrics of requests now.
var ErrNoRequests = errors.New("has none of the metrics of requests that are known by name, or none yet")

// read is not due each time: in between the signals are absent.
func (r *Requests) read(ctx context.Context, values []float64) error {
	now := time.Now()
	if now.Before(r.due) {
		return r.err
	}
	p, err := r.page(ctx)
	if err != nil {
		r.due, r.err = now.Add(lookAgain), err
		return err
	}
	r.err = nil
	r.due = now.Add(p.price() - 10*time.Millisecond) // ticks jitter
	if r.find(p.families); len(r.found) == 0 {
		r.due = later(r.due, now.Add(lookSoon))
		r.err = fmt.Errorf("%s %w", redact.URL(r.scraper.url), ErrNoRequests)
		return r.err
	}
	r.due = later(r.due, now.Add(readers.rest(r, now)))
	elapsed := p.at.Sub(r.scraper.at)
	if r.scraper.at.IsZero() {
		elapsed = 0
	}
	own := r.ownOf(now, p.at)
	r.scraper.at = p.at
	r.values(p.families, elapsed, own, values)
	r.try(ctx, p)
	return nil
}

// readers are those of this process.
var readers = crowd{last: make(map[*Requests]time.Time)}

// A crowd knows who reads pages.
type crowd struct {
	mu     sync.Mutex
	last   map[*Requests]time.Time // when they did
	pruned time.Time
}

// away is when a reader that reads no more is forgotten.
const away = 2 * lookAgain

// rest is how long a page rests that was read now.
func (c *crowd) rest(r *Requests, now time.Time) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last[r] = now
	if now.Sub(c.pruned) > away {
		c.pruned = now
		maps.DeleteFunc(c.last, func(_ *Requests, t time.Time) bool { return now.Sub(t) > away })
	}
	return time.Duration(len(c.last)) * pageRest
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// A sheet is a page that was read, with the selected metrics.
type sheet struct {
	families
	size int
	hash uint64 // of all of it
	at   time.Time
}

// price is how long a page rests for what it costs the target.
func (p *sheet) price() time.Duration {
	return time.Duration(float64(p.size) * float64(pageCost) / pageShare)
}

// page reads the page and parses the selected metrics.
func (r *Requests) page(ctx context.Context) (read sheet, err error) {
	err = r.scraper.fetch(ctx, func(p page) (err error) {
		if p.cut || len(p.body) > r.limit {
			return fmt.Errorf("the page %s is larger than %d MiB and is ignored", redact.URL(r.scraper.url),
				r.limit>>20)
		}
		if len(r.found) == 0 {
			r.spaces = namespaces(p.body)
			for _, l := range r.spaces {
				r.want(l)
			}
		}
		read.size, read.at, read.hash = len(p.body), p.at, maphash.Bytes(seed, p.body)
		read.families, err = r.scraper.wanted.parse(p)
		return err
	})
	return read, err
}

// find adds the libraries that the page has and that were not there before. Only where it has none of those known by
// their whole names does a namespace count.
func (r *Requests) find(f families) {
	for _, l := range libraries {
		known := slices.ContainsFunc(r.found, func(o *requestsOf) bool { return o.title == l.title })
		if !known && l.on(f) {
			r.found = slices.DeleteFunc(r.found, func(o *requestsOf) bool { return o.namespace != "" })
			r.found = append(r.found, &requestsOf{library: l})
		}
	}
	if spaces := slices.DeleteFunc(r.spaces, func(l library) bool { return !l.on(f) }); len(r.found) == 0 &&
		len(spaces) > 0 {
		r.found = append(r.found, &requestsOf{library: fullest(f, spaces)})
	}
}

// on says whether a page has requests that the library counts.
func (l *library) on(f families) bool {
	return first(f, l.duration) != nil || first(f, l.counter) != nil
}

// first returns the first of the families that a page has.
func first(f families, names []string) *dto.MetricFamily {
	for _, name := range names {
		if f[name] != nil {
			return f[name]
		}
	}
	return nil
}

// values adds up what the libraries report. elapsed is the time since the page before, 0 for the first; asked is what
// the watch itself has asked for meanwhile.
func (r *Requests) values(f families, elapsed time.Duration, asked ownRequests, values []float64) {
	var total, faults, inFlight, spent float64
	some, flying, buckets, worst := false, false, []bucket(nil), [2]float64{math.NaN(), math.NaN()}
	for _, o := range r.found {
		n, bad := o.outcomes(f, r.scraper.url.Path)
		b, sum, quantiles := o.latencies(f, r.scraper.url.Path)
		own := o.among(asked, f, n)
		if n, ok := o.flying(f); ok {
			inFlight, flying = inFlight+max(n-float64(own.underWay), 0), true
		}
		if !math.IsNaN(n) {
			total, faults, some = total+own.others(n), faults+bad, true
		}
		if own.mostly(n) {
			continue
		}
		spent += own.without(b, sum)
		buckets = append(buckets, b...)
		for i, q := range own.told(n, quantiles) {
			if q > worst[i] || math.IsNaN(worst[i]) {
				worst[i] = q
			}
		}
	}
	if some && elapsed > 0 {
		values[httpRate] = total / elapsed.Seconds()
		if total > 0 {
			values[httpErrors] = faults / total
		}
	}
	values[httpP50], values[httpP99] = worst[0], worst[1]
	if len(buckets) > 0 {
		merged := mergeBuckets(buckets)
		values[httpP50], values[httpP99] = quantileBySum(merged, spent, 0.5), quantileBySum(merged, spent, p99)
	}
	if flying {
		values[httpInFlight] = inFlight
	}
}

// outcomes returns how many requests were answered since the page before, and how many of them by the server's fault;
// NaN if unknown.
func (o *requestsOf) outcomes(f families, page string) (n, faults float64) {
	family := first(f, o.counter)
	if family == nil || !tellsStatus(family, o.status) && tellsStatus(first(f, o.duration), o.status) {
		family = first(f, o.duration)
	}
	all := o.series(family, page)
	var bad []*dto.Metric
	for _, s := range all {
		if o.fault(labelOf(s, o.status)) {
			bad = append(bad, s)
		}
	}
	known := family != nil
	n = o.total.of(all, known, countOf)[0]
	if faults = o.faults.of(bad, known, countOf)[0]; math.IsNaN(faults) {
		faults = 0
	}
	return n, min(faults, n)
}

func tellsStatus(f *dto.MetricFamily, labels []string) bool {
	return f != nil && slices.ContainsFunc(f.Metric, func(s *dto.Metric) bool { return labelOf(s, labels) != "" })
}

// series returns a family's that count requests of users.
func (o *requestsOf) series(f *dto.MetricFamily, page string) []*dto.Metric {
	if f == nil {
		return nil
	}
	all := slices.DeleteFunc(slices.Clone(f.Metric), func(s *dto.Metric) bool { return ours(s, page) })
	if o.outer == "" {
		return all
	}
	counts := make(map[string]float64)
	for _, s := range all {
		counts[labelOf(s, []string{o.outer})] += countOf(s)[0]
	}
	fullest := ""
	for value, n := range counts {
		if n > counts[fullest] || n == counts[fullest] && value < fullest || fullest == "" {
			fullest = value
		}
	}
	return slices.DeleteFunc(all, func(s *dto.Metric) bool { return labelOf(s, []string{o.outer}) != fullest })
}

// countOf returns how many requests a series has counted.
func countOf(s *dto.Metric) []float64 {
	switch {
	case s.Histogram != nil:
		return []float64{max(float64(s.Histogram.GetSampleCount()), s.Histogram.GetSampleCountFloat())}
	case s.Summary != nil:
		return []float64{float64(s.Summary.GetSampleCount())}
	case s.Counter != nil:
		return []float64{s.Counter.GetValue()}
	case s.Untyped != nil:
		return []float64{s.Untyped.GetValue()}
	}
	return nil
}

// latencies returns the buckets, and the sum of the times, in seconds, of the requests since the page before; or, of
// summaries, their largest quantiles.
func (o *requestsOf) latencies(f families, page string) (buckets []bucket, sum float64, quantiles [2]float64) {
	quantiles = [2]float64{math.NaN(), math.NaN()}
	family := first(f, o.duration)
	if family == nil {
		return nil, 0, quantiles
	}
	all := slices.DeleteFunc(o.series(family, page), lasting)
	scale := scaleOf(family.GetName())
	if family.GetType() == dto.MetricType_SUMMARY {
		for i, q := range [...]float64{0.5, p99} {
			m := metric{quantile: q}
			quantiles[i] = m.worstQuantile(all) * scale
		}
		return nil, 0, quantiles
	}
	for _, b := range o.times.ofBuckets(all, true) {
		buckets = append(buckets, bucket{b.upper * scale, b.count})
	}
	return buckets, scale * o.spent.of(all, true, countAndSum)[1], quantiles
}

// countAndSum are a histogram's.
func countAndSum(s *dto.Metric) []float64 {
	h := s.GetHistogram()
	return []float64{max(float64(h.GetSampleCount()), h.GetSampleCountFloat()), h.GetSampleSum()}
}

// flying returns how many requests are in flight: without long-lasting ones, if they can be recognized.
func (o *requestsOf) flying(f families) (float64, bool) {
	if gauge := first(f, o.inFlight); gauge != nil {
		n := gaugeSum(gauge.Metric)
		return n, !math.IsNaN(n)
	}
	started, answered := first(f, o.started), first(f, o.counter)
	if started == nil {
		return 0, false
	}
	return max(countAll(started)-countAll(answered), 0), true
}

func countAll(f *dto.MetricFamily) (sum float64) {
	if f == nil {
		return 0
	}
	for _, s := range f.Metric {
		if n := countOf(s); !lasting(s) && len(n) == 1 {
			sum += n[0]
		}
	}
	return sum
}

// mergeBuckets adds those of the same bound, by ascending bounds.
func mergeBuckets(buckets []bucket) []bucket {
	slices.SortFunc(buckets, func(a, b bucket) int {
		switch {
		case a.upper < b.upper:
			return -1
		case a.upper > b.upper:
			return 1
		}
		return 0
	})
	merged := buckets[:0]
	for _, b := range buckets {
		if n := len(merged); n > 0 && merged[n-1].upper == b.upper {
			merged[n-1].count += b.count
			continue
		}
		merged = append(merged, b)
	}
	return merged
}
