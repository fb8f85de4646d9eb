package stage

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/gocasebook/casebook/app/load"
)

// An items makes windows of what a service counts itself, when nobody sends it requests: the answer of GET /stats. CPU
// per request is CPU per finished item then, and there are no latencies.
type items struct {
	stage *Stage
	last  counted
	at    time.Time
}

// counted is what a service has finished since it started.
type counted struct {
	Done   uint64 `json:"done"`   // items finished well
	Failed uint64 `json:"failed"` // given up
}

// newItems gives windows from now on.
func newItems(ctx context.Context, s *Stage) (func(context.Context) (load.Window, error), error) {
	i := &items{stage: s}
	_, err := i.read(ctx)
	return i.next, err
}

// next is the window that ends a round from now.
func (i *items) next(ctx context.Context) (load.Window, error) {
	timer := time.NewTimer(time.Until(i.at.Add(i.stage.cfg.Round)))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
		return load.Window{}, ctx.Err()
	}
	w, err := i.read(ctx)
	if failed := i.stage.Failed(); failed != nil {
		return w, failed
	}
	return w, err
}

// read is what was counted since the reading before.
func (i *items) read(ctx context.Context) (load.Window, error) {
	now, err := i.ask(ctx)
	if err != nil {
		return load.Window{}, fmt.Errorf("asking %s for what it has finished: %w", i.stage.Name, err)
	}
	if now.Done < i.last.Done || now.Failed < i.last.Failed {
		return load.Window{}, fmt.Errorf("%s counts backwards: %d done and %d failed after %d and %d", i.stage.Name,
			now.Done, now.Failed, i.last.Done, i.last.Failed)
	}
	at := time.Now()
	w := load.Window{Counts: load.Counts{
		Start: i.at, Seconds: at.Sub(i.at).Seconds(),
		OK: now.Done - i.last.Done, Errors: load.Errors{Other: now.Failed - i.last.Failed},
	}}
	i.last, i.at = now, at
	return w, nil
}

func (i *items) ask(ctx context.Context) (counted, error) {
	var c counted
	status, body, err := i.stage.get(ctx, "/stats")
	switch {
	case err != nil:
		return c, err
	case status != http.StatusOK:
		return c, fmt.Errorf("GET /stats answers %d", status)
	}
	if err := json.Unmarshal(body, &c); err != nil {
		return c, fmt.Errorf("GET /stats: %w", err)
	}
	return c, nil
}
