package ads

import (
	"context"
	"log/slog"
	"time"
)

// firstRetry is how soon the content service is asked again while there is no catalogue at all.
const firstRetry = 250 * time.Millisecond

// refresh keeps the catalogue current until ctx ends.
func (d *Delivery) refresh(ctx context.Context, log *slog.Logger) {
	failing := false
	for ctx.Err() == nil {
		at := d.catalogue.Load()
		fresh, err := d.content.newer(ctx, at)
		switch {
		case err == nil:
			d.catalogue.Store(fresh)
			if at == nil || at.version != fresh.version {
				log.Info("catalogue taken", "version", fresh.version, "topics", len(fresh.topics))
			}
		case ctx.Err() == nil && !failing:
			log.Warn("no newer catalogue; the one at hand serves for as long as -max-stale allows", "err", err)
		}
		failing = err != nil
		wait := d.config.Refresh
		if d.catalogue.Load() == nil {
			wait = min(wait, firstRetry)
		}
		pause(ctx, wait)
	}
}

func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
