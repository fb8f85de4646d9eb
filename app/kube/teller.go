package kube

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"
)

// A Teller writes events, one after another, so that whoever tells does not wait.
type Teller struct {
	client *Client
	self   string
	log    *slog.Logger
	queue  chan Notice
}

// toldAtOnce is how many events wait; more are dropped: they are a courtesy, the case is what counts.
const toldAtOnce = 64

// NewTeller starts nothing. self names this process among replicas.
func NewTeller(c *Client, self string, log *slog.Logger) *Teller {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Teller{client: c, self: self, log: log, queue: make(chan Notice, toldAtOnce)}
}

// Tell has an event written soon. It never waits.
func (t *Teller) Tell(n Notice) {
	select {
	case t.queue <- n:
	default:
		t.log.Warn("an event on a pod was dropped: too many wait", "pod", n.Endpoint.Pod, "reason", n.Reason)
	}
}

// Run writes events until ctx ends. Without the right to do so it says that once, and tries again with later ones.
func (t *Teller) Run(ctx context.Context) {
	refused := false
	for {
		select {
		case <-ctx.Done():
			t.last(ctx)
			return
		case n := <-t.queue:
			err := t.client.Tell(ctx, n, t.self)
			var status *StatusError
			forbidden := errors.As(err, &status) && status.Code == http.StatusForbidden
			if err != nil && !(forbidden && refused) && ctx.Err() == nil {
				t.log.Warn("an event on a pod could not be written", "pod", n.Endpoint.Pod, "error", err)
			}
			refused = forbidden
		}
	}
}

// last writes what waits when the watch ends, within a few seconds.
func (t *Teller) last(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
	defer cancel()
	for {
		select {
		case n := <-t.queue:
			if t.client.Tell(ctx, n, t.self) != nil {
				return
			}
		default:
			return
		}
	}
}
