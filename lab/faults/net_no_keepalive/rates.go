// Package net_no_keepalive asks another service for the rate of a currency in every request.
//
// The fault: the client does not keep its connections.
package net_no_keepalive

import (
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
	"github.com/gocasebook/casebook/lab/faults/backend"
)

// Rates asks for rates.
type Rates struct {
	backend backend.Backend
	client  http.Client
}

// fetch asks for one.
func (r *Rates) fetch() (string, error) {
	resp, err := r.client.Get(r.backend.URL() + "/item?i=7")
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
	return string(body), err
}

// ServeHTTP answers with a rate.
func (r *Rates) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	rate, err := r.fetch()
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprint(w, rate)
}

func service(keep bool, perSecond float64) faults.Service {
	r := &Rates{client: http.Client{Timeout: 5 * time.Second,
		Transport: &http.Transport{DisableKeepAlives: !keep, MaxIdleConnsPerHost: 50}}}
	return faults.Service{Handler: r, Load: []faults.Call{{Path: "/rate", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "net-no-keepalive", Text: "a client with DisableKeepAlives asks 300 times a second",
		Culprit:  "net_no_keepalive.(*Rates).fetch",
		Faulty:   func() faults.Service { return service(false, 300) },
		Repaired: func() faults.Service { return service(true, 300) },
		Limit:    func() faults.Service { return service(false, 40) },
		Twice:    20 * time.Second,
	}
}
