package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"
)

// deliveryTimeout is what the broker redelivers after.
const deliveryTimeout = 5 * time.Minute

type event struct {
	ID    int64           `json:"id"`
	Topic string          `json:"topic"`
	Order json.RawMessage `json:"order"`
}

type relay struct {
	hook              string
	client            *http.Client
	log               zerolog.Logger
	forwarded, failed atomic.Int64
}

// subscribe yields the events of a connection until it ends.
func subscribe(r io.Reader) iter.Seq2[event, error] {
	return func(yield func(event, error) bool) {
		lines := bufio.NewScanner(r)
		for lines.Scan() {
			var e event
			err := json.Unmarshal(lines.Bytes(), &e)
			if !yield(e, err) {
				return
			}
		}
		if err := lines.Err(); err != nil {
			yield(event{}, err)
		}
	}
}

// run forwards events one after the other: a topic's order is its subscribers' promise.
func (r *relay) run(ctx context.Context, events iter.Seq2[event, error]) error {
	for e, err := range events {
		if err != nil {
			return fmt.Errorf("reading an event: %w", err)
		}
		ctx, cancel := context.WithTimeout(ctx, deliveryTimeout)
		defer cancel()
		if err := r.deliver(ctx, e); err != nil {
			r.failed.Add(1)
			r.log.Warn().Err(err).Int64("event", e.ID).Msg("not delivered")
			continue
		}
		r.forwarded.Add(1)
	}
	return nil
}

func (r *relay) deliver(ctx context.Context, e event) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.hook, bytes.NewReader(e.Order))
	if err != nil {
		return err
	}
	req.Header.Set("X-Topic", e.Topic)
	res, err := r.client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		return err
	}
	if res.StatusCode >= 300 {
		return fmt.Errorf("the hook says %s", res.Status)
	}
	return nil
}
