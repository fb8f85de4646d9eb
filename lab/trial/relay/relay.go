package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

type message struct {
	Topic string `json:"topic"`
	Text  string `json:"text"`
}

// A relay posts messages to the first site and, when there is a mirror, to the second.
type relay struct {
	ctx     context.Context // of the mirror, which is started later
	url     string
	log     *slog.Logger
	client  *http.Client
	queue   chan message
	second  chan message
	started sync.Once
}

func newRelay(ctx context.Context, url string, log *slog.Logger) *relay {
	return &relay{ctx: ctx, url: url, log: log, client: &http.Client{Timeout: 5 * time.Second},
		queue: make(chan message, 256), second: make(chan message, 256)}
}

func (r *relay) publish(m message) bool {
	select {
	case r.queue <- m:
		return true
	default:
		return false
	}
}

func (r *relay) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case m := <-r.queue:
			if err := r.post(ctx, "first", m); err != nil {
				r.log.Warn("posting", "topic", m.Topic, "error", err)
			}
			select {
			case r.second <- m:
			default: // nobody mirrors, or it is behind
			}
		}
	}
}

// mirror starts the copying to the second site, once.
func (r *relay) mirror() { r.started.Do(func() { go r.copyToSecond() }) }

func (r *relay) copyToSecond() {
	for {
		select { // trial:fault
		case <-r.ctx.Done():
			return
		case m := <-r.second:
			if err := r.post(r.ctx, "second", m); err != nil {
				r.log.Warn("mirroring", "topic", m.Topic, "error", err)
			}
		//lint:ignore SA5004 it spins: that is its fault
		default: // trial:fault
			// nothing to mirror
		}
	}
}

func (r *relay) post(ctx context.Context, site string, m message) error {
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.url+"/"+site+"/"+m.Topic, bytes.NewReader(body))
	if err != nil {
		return err
	}
	resp, err := r.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the %s site answers %s", site, resp.Status)
	}
	return nil
}
