package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"time"
)

func newClient() *http.Client { return &http.Client{Timeout: 5 * time.Second} }

// A writer moves measurements from the queue to the store, in order.
type writer struct {
	url    string
	client *http.Client
	queue  *queue
	log    *slog.Logger
}

func (w *writer) run(ctx context.Context) {
	for {
		m, err := w.queue.pop(ctx)
		if err != nil {
			return
		}
		if err := w.write(ctx, m); err != nil {
			w.log.Error("writing a measurement", "device", m.Device, "error", err)
		}
	}
}

func (w *writer) write(ctx context.Context, m measurement) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.url+"/store/"+m.Device, bytes.NewReader(m.Data))
	if err != nil {
		return err
	}
	resp, err := w.client.Do(req) // trial:fault
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the store answers %s", resp.Status)
	}
	return nil
}
