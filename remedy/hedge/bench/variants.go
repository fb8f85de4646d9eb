package main

import (
	"fmt"
	"net/http"
	"time"

	"github.com/cristalhq/hedgedhttp"
	"github.com/failsafe-go/failsafe-go/budget"
	"github.com/failsafe-go/failsafe-go/failsafehttp"
	"github.com/failsafe-go/failsafe-go/hedgepolicy"

	"github.com/gocasebook/casebook/remedy/hedge"
)

// A variant is one way to send requests.
type variant struct {
	name  string
	build func(base http.RoundTripper) (http.RoundTripper, *hedge.Policy, error)
}

// constantDelay is the p95 of the backends when all is well, as somebody would write it down who measured it once.
const constantDelay = 8 * time.Millisecond

var variants = []variant{
	{"no hedging", func(base http.RoundTripper) (http.RoundTripper, *hedge.Policy, error) { return base, nil, nil }},
	{"casebook hedge", func(base http.RoundTripper) (http.RoundTripper, *hedge.Policy, error) {
		p, err := hedge.New(hedge.Config{})
		return &hedge.Transport{Policy: p, Base: base}, p, err
	}},
	{"failsafe-go p95", func(base http.RoundTripper) (http.RoundTripper, *hedge.Policy, error) {
		p := hedgepolicy.NewBuilderWithDelayQuantile[*http.Response](0.95, 1000, 100).Build()
		return failsafehttp.NewRoundTripper(base, p), nil, nil
	}},
	{"failsafe-go p95, budget 5 %", func(base http.RoundTripper) (http.RoundTripper, *hedge.Policy, error) {
		limit := budget.NewBuilder().WithMaxRate(0.05).WithMinConcurrency(1).Build()
		p := hedgepolicy.NewBuilderWithDelayQuantile[*http.Response](0.95, 1000, 100).WithBudget(limit).Build()
		return failsafehttp.NewRoundTripper(base, p), nil, nil
	}},
	{fmt.Sprintf("hedgedhttp, %v", constantDelay), func(base http.RoundTripper) (http.RoundTripper, *hedge.Policy,
		error) {
		rt, err := hedgedhttp.NewRoundTripper(constantDelay, 2, base)
		return rt, nil, err
	}},
}

// newBase is the transport below every variant, with room for all connections.
func newBase() *http.Transport {
	return &http.Transport{MaxIdleConnsPerHost: 1000, MaxIdleConns: 2000, IdleConnTimeout: time.Minute}
}
