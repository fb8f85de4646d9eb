// Package goroutine_stuck asks another service for quotes, one of whose machines hangs.
//
// The fault: the call has no deadline.
package goroutine_stuck

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
	"github.com/gocasebook/casebook/lab/faults/backend"
)

// Quotes asks for quotes.
type Quotes struct {
	backend backend.Backend
	client  http.Client
	timeout time.Duration
	hang    int // of so many requests one goes to the machine that hangs
}

// fetch asks for one.
func (q *Quotes) fetch(ctx context.Context, path string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, q.backend.URL()+path, nil)
	if err != nil {
		return "", err
	}
	resp, err := q.client.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
	return string(body), err
}

// ServeHTTP answers with a quote.
func (q *Quotes) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var i int
	fmt.Sscan(r.FormValue("i"), &i)
	path := "/item?i=1"
	if i%q.hang == 1 {
		path = "/hang"
	}
	ctx := context.Background()
	if q.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(r.Context(), q.timeout)
		defer cancel()
	}
	quote, err := q.fetch(ctx, path)
	if err != nil {
		http.Error(w, err.Error(), http.StatusGatewayTimeout)
		return
	}
	fmt.Fprint(w, quote)
}

func service(hang int, timeout time.Duration) faults.Service {
	q := &Quotes{hang: hang, timeout: timeout, client: http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 20}}}
	return faults.Service{Handler: q, Load: []faults.Call{{Path: "/quote?i=%d", PerSecond: 20}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "goroutine-stuck", Text: "a call without a deadline hangs every other second",
		Culprit:  "goroutine_stuck.(*Quotes).fetch",
		Faulty:   func() faults.Service { return service(40, 0) },
		Repaired: func() faults.Service { return service(40, 2*time.Second) },
		Limit:    func() faults.Service { return service(200, 0) },
		Warm:     90 * time.Second,
	}
}
