package casework

import (
	"errors"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/engine"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/internal/redact"
)

// engineAnswer is how long an engine may take for a sample: it reads hours of many services.
const engineAnswer = 30 * time.Second

// inEngine makes the target of an engine's address. It has no pages of its own; the one address that goes with it is a
// prometheus:// that has its metrics.
func (t *Target) inEngine() (reached, learned, error) {
	s := &t.Signals
	switch {
	case s.Expvar != "":
		return nil, learned{}, setting("expvar", errors.New("an engine has no such page"))
	case s.Prometheus != "" && !engine.Is(s.Prometheus):
		return nil, learned{}, setting("prometheus", errors.New("of a service in an engine it is the address of "+
			"Prometheus' own API: prometheus://host:9090?service=NAME"))
	case len(s.Metrics) > 0:
		return nil, learned{}, setting("metric", errors.New("of a service in an engine the usual metrics are "+
			"read, and no others"))
	case s.Requests != "" && s.Requests != RequestsAuto && s.Requests != RequestsOff:
		return nil, learned{}, setting("http-metrics", errors.New("an engine has no such page; --prometheus "+
			"prometheus://host:9090?service=NAME has the metrics of requests"))
	}
	e, err := engine.New(t.URL, engine.Options{Access: t.Access, Metrics: s.Prometheus})
	if err != nil {
		return nil, learned{}, err
	}
	return e, learned{}, nil
}

// quotes returns what cases quote; none without an address.
func (t *Target) quotes() ([]casebook.Quote, error) {
	if t.Signals.Quote == "" {
		return nil, nil
	}
	all, err := engine.Quotes(t.Signals.Quote, engine.Options{Access: t.quoteAccess()})
	if err != nil {
		return nil, setting("quote", err)
	}
	var quotes []casebook.Quote
	for _, q := range all {
		quotes = append(quotes, casebook.Quote{Name: q.Name, Take: q.Take})
	}
	return quotes, nil
}

// quoteAccess are the credentials for the engine that is quoted: those of its file, and the target's own only where the
// target is a service of the same engine and tenant. Where the target may not be, its quotes may not be either.
func (t *Target) quoteAccess() instance.HTTPOptions {
	o := instance.HTTPOptions{HeaderFile: t.Signals.QuoteHeaders, Allow: t.Access.Allow}
	server, tenant := engine.Same(t.URL, t.Signals.Quote, t.Access)
	switch {
	case !server:
		return o
	case tenant && o.HeaderFile == "":
		return t.Access
	}
	o.CAFile, o.Insecure = t.Access.CAFile, t.Access.Insecure // a certificate is the server's
	return o
}

// Shown is the address of a target as errors and terminals show it: without what may be secret in it.
func Shown(address string) string {
	if a, err := engine.ParseAddress(address); err == nil {
		return a.String()
	}
	return redact.Text(address)
}
