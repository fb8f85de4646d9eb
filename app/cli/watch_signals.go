package cli

import (
	"errors"
	"strings"

	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/casework"
)

// sourceFlags are the flags for signals that net/http/pprof does not have.
type sourceFlags struct {
	prometheus string
	metrics    []string
	expvar     string
	vars       []string
	requests   string
	quote      string
	quoteAuth  string
}

func (f *sourceFlags) add(flags *pflag.FlagSet) {
	f.addRequests(flags)
	flags.StringVar(&f.prometheus, "prometheus", "",
		"`URL` of the target's Prometheus page: its metrics become signals, and cases keep the page")
	flags.StringArrayVar(&f.metrics, "metric", nil,
		"`metric` on that page, such as jobs_total{queue=\"mail\"}; repeatable (default: the usual ones)")
	flags.StringVar(&f.expvar, "expvar", "", "`URL` of the target's expvar page (/debug/vars), for --var")
	flags.StringSliceVar(&f.vars, "var", nil, "`names` of numbers on that page to use as signals, such as queue.length")
	flags.StringVar(&f.quote, "quote", "", "`engine` with this service's past, such as "+
		"pyroscope://host:4040?service=shop: cases keep its profiles of before, last week and the previous version")
	flags.StringVar(&f.quoteAuth, "quote-header-file", "", "`file` with headers for --quote, such as Authorization")
}

func (f *sourceFlags) check(targets int) error {
	switch {
	case f.quoteAuth != "" && f.quote == "":
		return errors.New("--quote-header-file is for --quote, which is not given")
	case targets > 1 && f.quote != "":
		return errors.New("--quote is about one service: give it to each target in the file of --config")
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

// addRequests adds the flag that all have that look at a service for some time.
func (f *sourceFlags) addRequests(flags *pflag.FlagSet) {
	flags.StringVar(&f.requests, "http-metrics", casework.RequestsAuto,
		"`URL` of a Prometheus page whose usual request metrics become http_rate, http_errors, http_latency_p99 …; "+
			"auto is /metrics on the target, off is none")
}

// signals returns what the flags say.
func (f *sourceFlags) signals() casework.Signals {
	return casework.Signals{Prometheus: f.prometheus, Metrics: f.metrics, Expvar: f.expvar, Vars: f.vars,
		Requests: f.requests, Quote: f.quote, QuoteHeaders: f.quoteAuth}
}
