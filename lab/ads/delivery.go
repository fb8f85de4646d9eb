package ads

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/gocasebook/casebook/lab/serve"
)

// A Delivery answers GET /ads. It is a http.Handler. Run keeps its catalogue current, Close ends what it runs in the
// background.
type Delivery struct {
	config    Config
	content   *contentClient
	catalogue atomic.Pointer[catalogue] // nil: none yet
	db        *redis.Client
	searcher  searcher
	keys      setKeys
	counter   counter
	marker    marker
	report    appendLine
	sink      *sink
	lines     sync.Pool // of *[]byte, for the lines of a request
	metrics   *metrics
	places    chan struct{} // one for each request that is worked on
	stopping  atomic.Bool   // set once, at the start of the graceful stop: /readyz says no
	mux       *http.ServeMux
}

// New makes a delivery service with one worker for each processor there is. Close must be called.
func New(c Config, log *slog.Logger) (*Delivery, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	d := &Delivery{
		config: c, content: newContentClient(&c), db: newRedis(c.Redis, c.Timeout),
		keys: newKeys(c.Keys), report: newReport(c.ReportBy), sink: newSink(c.Report, log),
		places: make(chan struct{}, c.InFlight),
	}
	var err error
	if d.counter, err = newCounter(c.Counts, d.db, c.Timeout); err != nil {
		return nil, errors.Join(err, d.db.Close())
	}
	lost := func(n int) { d.metrics.unmarked.Add(float64(n)) }
	if d.marker, err = newMarker(c.MarksBy, d.db, c.Timeout, lost); err != nil {
		return nil, errors.Join(err, d.db.Close())
	}
	d.searcher = newSearcher(&c, runtime.GOMAXPROCS(0))
	d.metrics = newMetrics(d)
	d.mux = d.routes()
	return d, nil
}

// Close ends what runs in the background; no request may follow. It waits for Redis until ctx is done.
func (d *Delivery) Close(ctx context.Context) error {
	d.searcher.close()
	err := errors.Join(d.counter.close(ctx), d.marker.close(ctx), d.db.Close())
	d.sink.close()
	d.content.close()
	return err
}

func (d *Delivery) routes() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /ads", d.serveAds)
	mux.HandleFunc("GET /healthz", serve.Health)
	mux.HandleFunc("GET /readyz", d.serveReady)
	mux.Handle("GET /metrics", d.metrics.handler())
	return mux
}

func (d *Delivery) ServeHTTP(w http.ResponseWriter, r *http.Request) { d.mux.ServeHTTP(w, r) }

// errNoCatalogue is the error of requests while there is no catalogue, or only one that is too old.
var errNoCatalogue = errors.New("there is no current catalogue: the content service does not answer")

// current is the catalogue, as long as it may serve.
func (d *Delivery) current(now time.Time) (*catalogue, error) {
	c := d.catalogue.Load()
	if c == nil || now.Sub(c.confirmed) > d.config.MaxStale {
		return nil, errNoCatalogue
	}
	return c, nil
}

// deliver chooses the ads of a request. degraded says what it had to do without; "" for nothing.
func (d *Delivery) deliver(ctx context.Context, q *query) (considered []candidate, degraded string, err error) {
	now := time.Now()
	c, err := d.current(now)
	if err != nil {
		return nil, "", err
	}
	if considered, err = d.candidates(ctx, c, q, now); err != nil {
		return nil, "", err
	}
	if err := d.limited(ctx, func(ctx context.Context) error { return readSeen(ctx, d.db, considered) }); err != nil {
		if ctx.Err() != nil {
			return nil, "", context.Cause(ctx)
		}
		d.metrics.capsUnknown.Inc()
		degraded = "caps"
	}
	d.count(ctx, considered, fill(considered, q.slots))
	d.tell(now, q, considered)
	if d.config.Marks > 0 {
		d.marker.mark(marksOf(considered, d.config.Marks, now))
	}
	return considered, degraded, nil
}

// tell reports what became of the candidates.
func (d *Delivery) tell(now time.Time, q *query, considered []candidate) {
	lines, ok := d.lines.Get().(*[]byte)
	if !ok {
		lines = new([]byte)
	}
	*lines = d.report.lines((*lines)[:0], now, q, considered, d.config.Lost)
	d.sink.add(*lines)
	d.lines.Put(lines)
}

// candidates searches the topic's ads for the best that match. A topic that the catalogue does not have has none.
func (d *Delivery) candidates(ctx context.Context, c *catalogue, q *query, now time.Time) ([]candidate, error) {
	keywords := newRelevance(d.config.Match, c, q)
	found, err := d.searcher.run(ctx, job{c.topics[q.topic], func(part []ad) []candidate {
		return search(c, q, keywords, part, d.room(len(part)))
	}})
	if err != nil {
		return nil, fmt.Errorf("searching the ads: %w", err)
	}
	for _, part := range found {
		d.keys(q.user, now.UTC(), part)
	}
	return best(found, d.config.Consider), nil
}

// room is how many candidates of n ads memory is taken for: a quarter of them match, as a rule, a third seldom.
func (d *Delivery) room(n int) int {
	if d.config.Room == roomMaximum {
		return maxAds
	}
	return (n + 2) / 3
}

// count counts the impressions of what is shown.
func (d *Delivery) count(ctx context.Context, considered []candidate, shown int) {
	counted := make([]string, 0, shown)
	for i := range considered {
		if considered[i].slot > 0 {
			counted = append(counted, considered[i].key)
		}
	}
	if len(counted) == 0 {
		return
	}
	_ = d.limited(ctx, func(ctx context.Context) error {
		uncounted, err := d.counter.add(ctx, counted)
		d.metrics.uncounted.Add(float64(uncounted))
		return err // it is in the number: the ads are shown all the same
	})
}

// limited calls f with a context that ends after the timeout of a call.
func (d *Delivery) limited(ctx context.Context, f func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, d.config.Timeout)
	defer cancel()
	return f(ctx)
}
