package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"sync"
	"time"
)

const (
	requestGets = 20
	requestSets = 2
	// requestGarbage is what a request of a service allocates besides the cache, in bytes.
	requestGarbage = 16 << 10
	gcEvery        = 2 * time.Second
	connections    = 64
)

// measureService asks an HTTP service around a full cache, at a constant rate whatever comes back; latency counts from
// the moment a request was due.
func measureService(ctx context.Context, m maker, p plan) (row, error) {
	r := row{Name: m.name, TTL: m.ttl}
	c, err := m.make(p.entries, p.ttl)
	if err != nil {
		return r, fmt.Errorf("making %s: %w", m.name, err)
	}
	fill(c, p.entries)
	ranks := draws(p.entries, p.ops)
	server := httptest.NewServer(handler(c, ranks))
	defer server.Close()
	transport := &http.Transport{MaxIdleConnsPerHost: connections, MaxConnsPerHost: connections}
	client := &http.Client{Transport: transport}
	defer transport.CloseIdleConnections()
	ask(ctx, client, server.URL, p.rate, 2*time.Second) // connections

	ctx, stop := context.WithCancel(ctx)
	var collector sync.WaitGroup
	collector.Go(func() {
		for wait(ctx, gcEvery) {
			runtime.GC()
		}
	})
	cpu := cpuTime()
	latencies := ask(ctx, client, server.URL, p.rate, p.serve)
	r.CPU = (cpuTime() - cpu) / time.Duration(max(len(latencies), 1))
	stop()
	collector.Wait()
	slices.Sort(latencies)
	for _, q := range []float64{0.5, 0.99, 0.999, 0.9999, 1} {
		r.Latency = append(r.Latency, latencies[min(int(q*float64(len(latencies))), len(latencies)-1)])
	}
	return r, nil
}

// handler answers with what the cache has for some keys.
func handler(c peer, ranks []uint32) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		get, at := c.reader(), rand.IntN(len(ranks)-requestGets)
		var k, v [16]byte
		sum := 0
		for i, rank := range ranks[at : at+requestGets] {
			n, _ := get(phone(&k, rank))
			if sum += n; i < requestSets {
				c.set(phone(&k, rank), phone(&v, rank^1))
			}
		}
		garbage := make([]*[64]byte, requestGarbage/64)
		for i := range garbage {
			garbage[i] = new([64]byte)
		}
		fmt.Fprintln(w, sum, len(garbage))
	})
}

// ask sends requests, and returns how late each was answered.
func ask(ctx context.Context, c *http.Client, url string, rate int, d time.Duration) []time.Duration {
	var wg sync.WaitGroup
	n := int(d.Seconds() * float64(rate))
	latencies := make([]time.Duration, n)
	start := time.Now()
	for i := range n {
		due := start.Add(time.Second * time.Duration(i) / time.Duration(rate))
		if !wait(ctx, time.Until(due)) {
			break
		}
		wg.Go(func() {
			request(ctx, c, url)
			latencies[i] = time.Since(due)
		})
	}
	wg.Wait()
	return latencies
}

func request(ctx context.Context, c *http.Client, url string) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return
	}
	resp, err := c.Do(req)
	if err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
}

// wait is false when the context is done first.
func wait(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
