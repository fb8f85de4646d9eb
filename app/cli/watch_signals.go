package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/prometheus"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/target"
	"github.com/gocasebook/casebook/vitals"
)

// sourceFlags are the flags for signals that net/http/pprof does not have.
type sourceFlags struct {
	prometheus string
	metrics    []string
	expvar     string
	vars       []string
	requests   string // of a watch only
}

func (f *sourceFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.prometheus, "prometheus", "",
		"`URL` of the target's Prometheus page: its metrics become signals, and cases keep the page")
	flags.StringArrayVar(&f.metrics, "metric", nil,
		"`metric` on that page, such as jobs_total{queue=\"mail\"}; repeatable (default: the usual ones)")
	flags.StringVar(&f.expvar, "expvar", "", "`URL` of the target's expvar page (/debug/vars), for --var")
	flags.StringSliceVar(&f.vars, "var", nil, "`names` of numbers on that page to use as signals, such as queue.length")
}

func (f *sourceFlags) check(targets int) error {
	switch {
	case targets > 1 && (f.prometheus != "" || f.expvar != "" || strings.Contains(f.requests, "://")):
		return errors.New("--prometheus, --expvar and the URL of --http-metrics are pages of one process: watch its " +
			"URL alone")
	case f.prometheus == "" && len(f.metrics) > 0:
		return errors.New("--metric selects from the page of --prometheus, which is not given")
	case f.expvar == "" && len(f.vars) > 0:
		return errors.New("--var selects from the page of --expvar, which is not given")
	case f.expvar != "" && len(f.vars) == 0:
		return errors.New("--expvar needs the names of the numbers to watch: --var queue.length,cache.entries")
	}
	return nil
}

// addRequests adds the flag that only a watch has: rates need some time.
func (f *sourceFlags) addRequests(flags *pflag.FlagSet) {
	flags.StringVar(&f.requests, "http-metrics", requestsAuto,
		"`URL` of a Prometheus page whose usual request metrics become http_rate, http_errors, http_latency_p99 …; "+
			"auto is /metrics on the target, off is none")
}

// The values of --http-metrics that are not a URL.
const (
	requestsAuto = "auto"
	requestsOff  = "off"
)

// requestSource makes signals of requests of a page. One that a person named must be there; one that is guessed is
// asked for and, when it is not there or has nothing, left alone.
func (f *sourceFlags) requestSource(ctx context.Context, t *target.HTTP) ([]vitals.Source, error) {
	page, guessed := f.requests, f.requests == requestsAuto
	switch page {
	case "", requestsOff:
		return nil, nil
	case requestsAuto:
		page = "/metrics"
	}
	client, url, err := t.PageClient(withScheme(page))
	if err != nil {
		return nil, fmt.Errorf("--http-metrics: %w", err)
	}
	r, err := prometheus.NewRequests(url, client, guessed)
	if err != nil {
		return nil, fmt.Errorf("--http-metrics: %w", err)
	}
	if !guessed {
		if err := r.Look(ctx); err != nil && !errors.Is(err, prometheus.ErrNoRequests) {
			return nil, fmt.Errorf("--http-metrics: %w", err)
		}
	}
	return []vitals.Source{r.Source()}, nil
}

// learnTimeout bounds the first look at a page, which says what signals there are.
const learnTimeout = 10 * time.Second

// sources returns the sources and pages that the flags ask for. A Prometheus page is asked once, to learn its
// metrics.
func (f *sourceFlags) sources(ctx context.Context, t *target.HTTP) (sources []vitals.Source, pages []casebook.Attachment, err error) {
	ctx, cancel := context.WithTimeout(ctx, learnTimeout)
	defer cancel()
	if f.expvar != "" {
		s, err := learnExpvar(ctx, t, f.expvar, f.vars)
		if err != nil {
			return nil, nil, err
		}
		sources = append(sources, s)
	}
	requests, err := f.requestSource(ctx, t)
	if err != nil {
		return nil, nil, err
	}
	sources = append(sources, requests...)
	if f.prometheus != "" {
		client, url, err := t.PageClient(withScheme(f.prometheus))
		if err != nil {
			return nil, nil, fmt.Errorf("--prometheus: %w", err)
		}
		page, err := prometheus.New(ctx, prometheus.Config{URL: url, Metrics: f.metrics, Client: client})
		if err != nil {
			return nil, nil, fmt.Errorf("--prometheus: %w", err)
		}
		sources = append(sources, page.Source())
		pages = append(pages, casebook.Attachment{Kind: casefile.Prometheus, Take: page.Page})
	}
	return sources, pages, nil
}

// learnExpvar reads the page once, so that a wrong address and a misspelt name are reported now, not by a rule that
// never trips.
func learnExpvar(ctx context.Context, t *target.HTTP, page string, names []string) (vitals.Source, error) {
	s, err := t.Expvar(page, names...)
	if err == nil {
		err = s.Read(ctx, make([]float64, len(s.Signals)))
	}
	if err != nil {
		return s, fmt.Errorf("--expvar: %w", err)
	}
	return s, nil
}

// withScheme lets people leave "http://" out, as for a target. A path is one of the target's host.
func withScheme(url string) string {
	if strings.Contains(url, "://") || strings.HasPrefix(url, "/") {
		return url
	}
	return "http://" + url
}
