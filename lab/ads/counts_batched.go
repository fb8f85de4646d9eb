package ads

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/gocasebook/casebook/remedy/batch"
)

// countBatched sends the counters of all requests that are under way together in one pipeline.
type countBatched struct {
	db      *redis.Client
	timeout time.Duration
	batches *batch.Batcher[[]string]
}

func newCountBatched(db *redis.Client, timeout time.Duration) (*countBatched, error) {
	c := &countBatched{db: db, timeout: timeout}
	var err error
	// Two flushes at once: while Redis works on one, the next is written. A batch of 64 requests is some 500 counters,
	// 40 KB.
	c.batches, err = batch.New(batch.Config[[]string]{Flush: c.flush, MaxItems: 64, MaxFlushes: 2,
		MaxDelay: batch.NoDelay})
	if err != nil {
		return nil, fmt.Errorf("making the batches of counters: %w", err)
	}
	return c, nil
}

func (c *countBatched) add(ctx context.Context, keys []string) (uncounted int, err error) {
	if err := c.batches.Add(ctx, keys); err != nil {
		return len(keys), err
	}
	return 0, nil
}

func (c *countBatched) flush(ctx context.Context, requests [][]string) error {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	_, err := c.db.Pipelined(ctx, func(p redis.Pipeliner) error {
		for _, keys := range requests {
			for _, key := range keys {
				p.Incr(ctx, key)
				p.ExpireNX(ctx, key, keep)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("counting the impressions of %d requests: %w", len(requests), err)
	}
	return nil
}

func (c *countBatched) close(ctx context.Context) error {
	if err := c.batches.Stop(ctx); err != nil {
		return fmt.Errorf("flushing the counters: %w", err)
	}
	return nil
}
