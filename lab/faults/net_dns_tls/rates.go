package net_dns_tls

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
)

// Rates asks the bank for the rate of a currency, over HTTPS.
type Rates struct {
	bank   bank
	shared func() *http.Client // one for all calls; nil makes one for each
}

// newClient is an HTTP client with connections of its own.
func (r *Rates) newClient() *http.Client {
	dialer, _ := r.bank.dialer()
	return &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{
		DialContext: dialer.NetDialer.DialContext, TLSClientConfig: dialer.Config, MaxIdleConnsPerHost: 20,
	}}
}

// rate asks.
func (r *Rates) rate() (string, error) {
	var client *http.Client
	if r.shared != nil {
		client = r.shared()
	} else {
		client = r.newClient()
		defer client.CloseIdleConnections() // nobody will use them again
	}
	_, address := r.bank.dialer()
	resp, err := client.Get("https://" + address + "/rate")
	if err != nil {
		return "", fmt.Errorf("asking for the rate: %w", err)
	}
	defer resp.Body.Close()
	rate, err := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
	return string(rate), err
}

// ServeHTTP answers with the rate.
func (r *Rates) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	rate, err := r.rate()
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprint(w, rate)
}

func rates(shared bool, perSecond float64) faults.Service {
	r := &Rates{}
	r.bank.serve = func(l net.Listener) {
		answer := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "1.0842") })
		srv := &http.Server{Handler: answer, ReadHeaderTimeout: 10 * time.Second, ErrorLog: log.New(io.Discard, "", 0)}
		srv.Serve(l)
	}
	if shared {
		r.shared = sync.OnceValue(r.newClient)
	}
	return faults.Service{Handler: r, Load: []faults.Call{{Path: "/rate", PerSecond: perSecond}}}
}

// Transport is the kind through net/http, whose own goroutines open the connections.
func Transport() faults.Fault {
	return faults.Fault{
		Kind: "net-dns-tls", Name: "net-dns-tls-transport",
		Text:     "an HTTP client is made for every call, 100 times a second",
		Culprit:  "net_dns_tls.(*Rates).rate",
		Faulty:   func() faults.Service { return rates(false, 100) },
		Repaired: func() faults.Service { return rates(true, 100) },
		Limit:    func() faults.Service { return rates(false, 30) },
	}
}
