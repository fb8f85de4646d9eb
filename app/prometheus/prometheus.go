// Package prometheus makes signals from a target's Prometheus page: the requests, queues and pools that a service
// counts itself, and that net/http/pprof does not show.
//
// A page has totals since the start of the process, in hundreds or thousands of series. A rule needs a few current
// numbers. So some metrics are selected, and each is summed over its series:
//
//	counter      its rate per second
//	gauge        its value
//	histogram    its p99, of the observations since the sample before
//	summary      its largest 0.99 quantile (of the summary's own window), else the mean since the sample before
//
// Prometheus' own parser (prometheus/common/expfmt) reads the pages, but it only gets the lines of the selected
// metrics: a page with thousands of series costs little, and errors elsewhere on the page do no harm.
//
// Limits: the signals of a watch are fixed when it starts, so New requests the page once to learn what there is. A
// counter's growth is only visible between two pages: what a process counted between the last page and a restart is
// lost. Native histograms, which the text formats cannot hold, are not read, and neither are names with characters
// other than letters, digits, "_" and ":".
package prometheus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"time"

	"github.com/gocasebook/casebook/internal/redact"
	"github.com/gocasebook/casebook/internal/room"
	"github.com/gocasebook/casebook/vitals"
)

// Config says which page, and what of it.
type Config struct {
	// URL of the page, http or https, such as "http://127.0.0.1:9090/metrics". Its userinfo and query are sent and
	// never shown.
	URL string
	// Metrics selects what becomes a signal, at most vitals.MaxExtra of them: name, or name{label="value",…}. For a
	// histogram or summary, name_count and name_sum select those as counters. Empty means those of Standard that the
	// page has.
	Metrics []string
	// Client sends the requests. Nil means one of the package's own.
	Client *http.Client
	// Timeout bounds one request, its body included. Zero means DefaultTimeout.
	Timeout time.Duration
}

// DefaultTimeout is the Timeout of a Config without one.
const DefaultTimeout = 5 * time.Second

// A Scraper reads one page again and again. Make it with New.
type Scraper struct {
	url     *url.URL
	client  *http.Client
	timeout time.Duration
	wanted  wanted
	metrics []*metric
	at      time.Time // of the page before
	party   *room.Party
}

// New asks for the page once, to learn what the selected metrics are; from then on growth is counted. An error names
// the page that does not answer, or every selector at fault: what is not on the page is one, unless its name says what
// it is (_total, _count, _sum), because a labelled counter is on no page before it first counts.
func New(ctx context.Context, cfg Config) (*Scraper, error) {
	s, selectors, err := prepare(cfg)
	if err != nil {
		return nil, fmt.Errorf("prometheus: %w", err)
	}
	s.wanted = wantedBy(selectors)
	families, at, err := s.scrape(ctx)
	if err != nil {
		return nil, err
	}
	s.at = at
	choose := chooseNamed
	if len(cfg.Metrics) == 0 {
		choose = chooseUsual
	}
	if s.metrics, err = choose(selectors, families); err != nil {
		return nil, fmt.Errorf("choosing metrics of %s: %w", redact.URL(s.url), err)
	}
	nameSignals(s.metrics, redact.URL(s.url))
	for _, m := range s.metrics {
		m.value(families, 0) // the baseline
	}
	return s, nil
}

// chooseNamed takes all that somebody asked for; the error names every metric that is missing.
func chooseNamed(selectors []selector, f families) (metrics []*metric, err error) {
	var errs []error
	for _, s := range selectors {
		m, err := learn(s, f)
		errs = append(errs, err)
		metrics = append(metrics, m)
	}
	return metrics, errors.Join(errs...)
}

// chooseUsual takes what there is.
func chooseUsual(selectors []selector, f families) (metrics []*metric, err error) {
	for _, s := range selectors {
		if f[s.name] == nil {
			continue
		}
		if m, err := learn(s, f); err == nil { // otherwise it is something else under a usual name
			metrics = append(metrics, m)
		}
	}
	if len(metrics) == 0 {
		return nil, errors.New("none of the usual metrics is on it: select what matters by name")
	}
	return metrics, nil
}

// prepare checks the configuration; the error names every field at fault.
func prepare(cfg Config) (*Scraper, []selector, error) {
	s := &Scraper{client: cfg.Client, timeout: cfg.Timeout, party: room.NewParty()}
	var errs []error
	var err error
	if s.url, err = parseURL(cfg.URL); err != nil {
		errs = append(errs, fmt.Errorf("field URL: %w", err))
	}
	if s.client == nil {
		s.client = newClient()
	}
	if s.timeout == 0 {
		s.timeout = DefaultTimeout
	}
	if s.timeout < 0 {
		errs = append(errs, fmt.Errorf("field Timeout is %s; it must be positive", s.timeout))
	}
	texts := cfg.Metrics
	if len(texts) == 0 {
		texts = Standard()
	} else if len(texts) > vitals.MaxExtra {
		errs = append(errs,
			fmt.Errorf("field Metrics has %d selectors; there is room for %d: leave out the least telling", len(texts),
				vitals.MaxExtra))
	}
	var selectors []selector
	for _, text := range texts {
		sel, err := parseSelector(text)
		if err != nil {
			errs = append(errs, fmt.Errorf("field Metrics: %w", err))
			continue
		}
		selectors = append(selectors, sel)
	}
	return s, selectors, errors.Join(errs...)
}

// Source gives the signals. It reads the page once a sample; a page that does not come, or is none, is an error and
// leaves them all absent. Rates are over the time since the last page that came.
func (s *Scraper) Source() vitals.Source {
	src := vitals.Source{Name: "prometheus " + redact.URL(s.url), Read: s.read}
	for _, m := range s.metrics {
		src.Signals = append(src.Signals, m.signal)
	}
	return src
}

func (s *Scraper) read(ctx context.Context, values []float64) error {
	if len(values) < len(s.metrics) {
		return fmt.Errorf("reading %s: there is room for %d of %d values", redact.URL(s.url), len(values),
			len(s.metrics))
	}
	families, at, err := s.scrape(ctx)
	if err != nil {
		return err
	}
	elapsed := at.Sub(s.at)
	s.at = at
	for i, m := range s.metrics {
		if v := m.value(families, elapsed); !math.IsInf(v, 0) {
			values[i] = v
		}
	}
	return nil
}

// scrape reads the page and parses the selected metrics.
func (s *Scraper) scrape(ctx context.Context) (families, time.Time, error) {
	var f families
	var at time.Time
	err := s.fetch(ctx, func(p page) (err error) {
		if p.cut {
			return fmt.Errorf("reading %s: the page is larger than %d MiB; point to a smaller one", redact.URL(s.url),
				maxPage>>20)
		}
		if f, err = s.wanted.parse(p); err != nil {
			return fmt.Errorf("reading %s: %w", redact.URL(s.url), err)
		}
		at = p.at
		return nil
	})
	return f, at, err
}

// Page reads the page as it is, to be kept as evidence. Of one that is larger than 32 MiB it keeps whole lines up to
// that, and a comment that says so. It may run at the same time as Read.
func (s *Scraper) Page(ctx context.Context) ([]byte, error) {
	var kept []byte
	err := s.fetch(ctx, func(p page) error {
		kept = bytes.Clone(p.body)
		if p.cut {
			kept = fmt.Appendf(wholeLines(kept), "# cut here by casebook: the page is larger than %d MiB\n",
				maxPage>>20)
		}
		return nil
	})
	return kept, err
}
