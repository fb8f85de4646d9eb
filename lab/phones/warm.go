package phones

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/gocasebook/casebook/lab/serve"
)

// warmBatch is how many entries are loaded between two looks at the clock and at ctx.
const warmBatch = 1000

// A warmState is the progress of the warm-up.
type warmState struct {
	goal   int64
	loaded atomic.Int64
}

// Warm fills the caches with the items 1 to Config.Warm, each into the cache that its requests ask: the real phones of
// private sellers, the call-tracking phones of businesses. It is what a service does that loads a snapshot when it
// starts; requests are served meanwhile. It returns when done, or with ctx's error.
func (g *Gateway) Warm(ctx context.Context) error {
	start := time.Now()
	space := g.config.space()
	for item := uint64(1); item <= uint64(g.config.Warm); item++ {
		g.load(space, item)
		if item%warmBatch == 0 {
			g.warm.loaded.Store(int64(item))
			if err := g.pause(ctx, start, item); err != nil {
				return err
			}
		}
	}
	g.warm.loaded.Store(g.warm.goal)
	return nil
}

// load puts one item into its cache.
func (g *Gateway) load(space Space, item uint64) {
	real := realPhone(item)
	if byBusiness(item) {
		g.caches.tracking.Set(trackingKey(real), trackingPhone(real))
		return
	}
	g.caches.real.Set(realKey{space.owner(item), item}, real)
}

// pause holds the warm-up to its rate, counted from its start, and looks at ctx.
func (g *Gateway) pause(ctx context.Context, start time.Time, loaded uint64) error {
	if g.config.WarmRate <= 0 {
		return ctx.Err()
	}
	due := start.Add(time.Duration(float64(loaded) / g.config.WarmRate * float64(time.Second)))
	return serve.Sleep(ctx, time.Until(due))
}
