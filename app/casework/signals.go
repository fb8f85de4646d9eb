package casework

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/engine"
	"github.com/gocasebook/casebook/app/prometheus"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/vitals"
)

// Signals are those of a target that net/http/pprof does not have. An address may leave "http://" out; a path is one of
// the target's host.
type Signals struct {
	Prometheus string   // address of a metrics page; cases keep the page
	Metrics    []string // on that page, such as jobs_total{queue="mail"}; empty: the usual ones
	Expvar     string   // address of a page of /debug/vars
	Vars       []string // numbers on that page
	Quote      string   // address of a service in Pyroscope or Parca; cases quote what it keeps of the past

	QuoteHeaders string // file of headers for that
	Requests     string // address of a page with the usual metrics of requests, RequestsAuto, or RequestsOff; "" is off
	AutoPage     string // address of the page of RequestsAuto; "" is /metrics on the target
}

// The values of Signals.Requests that are no address.
const (
	RequestsAuto = "auto" // AutoPage, if it is there
	RequestsOff  = "off"
)

// learnTimeout bounds the first look at a page, which says what signals there are.
const learnTimeout = 10 * time.Second

// learned is what Signals come to at a target.
type learned struct {
	sources []vitals.Source
	pages   []casebook.Attachment
	note    string // what a person should know of them
}

// learn returns the sources and pages that are asked for. A Prometheus page is asked once, to learn its metrics.
func (s *Signals) learn(ctx context.Context, t *instance.HTTP) (l learned, err error) {
	ctx, cancel := context.WithTimeout(ctx, learnTimeout)
	defer cancel()
	if s.Expvar != "" {
		vars, err := learnExpvar(ctx, t, s.Expvar, s.Vars)
		if err != nil {
			return learned{}, setting("expvar", err)
		}
		l.sources = append(l.sources, vars)
	}
	if err := s.requests(ctx, t, &l); err != nil {
		return learned{}, setting("http-metrics", err)
	}
	if s.Prometheus == "" {
		return l, nil
	}
	page, err := s.page(ctx, t)
	if err != nil {
		return learned{}, setting("prometheus", err)
	}
	l.sources = append(l.sources, page.Source())
	l.pages = []casebook.Attachment{{Kind: casefile.Prometheus, Take: page.Page}}
	return l, nil
}

func (s *Signals) page(ctx context.Context, t *instance.HTTP) (*prometheus.Scraper, error) {
	if engine.Is(s.Prometheus) {
		return nil, errors.New("of a target behind net/http/pprof it is the target's own page, such as /metrics; " +
			"prometheus:// goes with a pyroscope:// or parca:// target, or is one itself")
	}
	client, url, err := t.PageClient(WithScheme(s.Prometheus))
	if err != nil {
		return nil, err
	}
	return prometheus.New(ctx, prometheus.Config{URL: url, Metrics: s.Metrics, Client: client})
}

// requests makes signals of requests of a page. One that a person named must be there; one that is guessed is asked for
// and, when it is not there or has nothing, left alone.
func (s *Signals) requests(ctx context.Context, t *instance.HTTP, l *learned) error {
	page, guessed := s.Requests, s.Requests == RequestsAuto
	switch page {
	case "", RequestsOff:
		return nil
	case RequestsAuto:
		page = cmp.Or(s.AutoPage, "/metrics")
	}
	client, url, err := t.PageClient(WithScheme(page))
	if err != nil {
		return err
	}
	r, err := prometheus.NewRequests(url, client, guessed)
	if err != nil {
		return err
	}
	r.LeaveOut(func(before, asked, answered time.Time) ([]time.Duration, int) {
		return instance.OwnRequests(client, before, asked, answered)
	})
	l.sources = append(l.sources, r.Source())
	if guessed {
		return nil
	}
	err = r.Look(ctx)
	if errors.Is(err, prometheus.ErrNoRequests) {
		l.note = err.Error() + "; it is asked for again and again. Others become signals with --prometheus and --metric"
		return nil
	}
	return err
}

// learnExpvar reads the page once, so that a wrong address and a misspelt name are reported now, not by a rule that
// never trips.
func learnExpvar(ctx context.Context, t *instance.HTTP, page string, names []string) (vitals.Source, error) {
	s, err := t.Expvar(page, names...)
	if err == nil {
		err = s.Read(ctx, make([]float64, len(s.Signals)))
	}
	return s, err
}

// WithScheme lets people leave "http://" out, as for a target. A path is one of the target's host.
func WithScheme(url string) string {
	if strings.Contains(url, "://") || strings.HasPrefix(url, "/") {
		return url
	}
	return "http://" + url
}

// catalogOf returns a catalog with the signals that sources add to the built-in ones.
func catalogOf(sources []vitals.Source) (*vitals.Catalog, error) {
	var extra []vitals.Signal
	for _, source := range sources {
		for _, s := range source.Signals {
			if _, builtIn := vitals.Lookup(s.Name); !builtIn {
				extra = append(extra, s)
			}
		}
	}
	return vitals.NewCatalog(extra...)
}
