package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

type event struct {
	Customer string          `json:"customer"`
	Kind     string          `json:"kind"`
	Data     json.RawMessage `json:"data"`
}

// deliveries posts events to webhooks with a few workers.
type deliveries struct {
	url    string
	log    *slog.Logger
	client *http.Client
	queue  chan event

	sent, failed atomic.Int64
}

func newDeliveries(url string, log *slog.Logger) *deliveries {
	transport := &http.Transport{
		DialContext:           (&net.Dialer{Timeout: 3 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		ResponseHeaderTimeout: 5 * time.Second,
		MaxIdleConnsPerHost:   16,
		IdleConnTimeout:       time.Minute,
	}
	return &deliveries{url: url, log: log, client: &http.Client{Transport: transport}, queue: make(chan event, 1000)}
}

func (d *deliveries) start(ctx context.Context, workers int) {
	for range workers {
		go d.work(ctx)
	}
}

func (d *deliveries) enqueue(e event) bool {
	select {
	case d.queue <- e:
		return true
	default:
		return false
	}
}

func (d *deliveries) work(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case e := <-d.queue:
			if err := d.deliver(e); err != nil {
				d.failed.Add(1)
				continue
			}
			d.sent.Add(1)
		}
	}
}

// deliver posts one event.
func (d *deliveries) deliver(e event) error {
	body, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("encoding an event: %w", err)
	}
	resp, err := d.client.Post(d.url+"/webhooks/"+e.Customer, "application/json", bytes.NewReader(body)) // trial:fault
	if err != nil {
		return fmt.Errorf("posting to %s: %w", e.Customer, err)
	}
	if resp.StatusCode >= 300 {
		return fmt.Errorf("%s answers %s", e.Customer, resp.Status) // trial:fault
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

func (d *deliveries) counts() map[string]int64 {
	return map[string]int64{"sent": d.sent.Load(), "failed": d.failed.Load(), "queued": int64(len(d.queue))}
}
