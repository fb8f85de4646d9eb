package ads

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"
)

// countEach sends each counter by itself.
type countEach struct{ db *redis.Client }

func (c countEach) add(ctx context.Context, keys []string) (uncounted int, err error) {
	for i, key := range keys {
		if err := c.one(ctx, key); err != nil {
			return len(keys) - i, err
		}
	}
	return 0, nil
}

func (c countEach) one(ctx context.Context, key string) error {
	n, err := c.db.Incr(ctx, key).Result()
	if err != nil {
		return fmt.Errorf("counting an impression: %w", err)
	}
	if n > 1 {
		return nil
	}
	if err := c.db.Expire(ctx, key, keep).Err(); err != nil {
		return fmt.Errorf("setting a counter's end: %w", err)
	}
	return nil
}

func (countEach) close(context.Context) error { return nil }
