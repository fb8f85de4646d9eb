package ads

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

// newRedis makes a client that waits for Redis no longer than timeout, and tries once: the next request is the next
// try.
func newRedis(addr string, timeout time.Duration) *redis.Client {
	return redis.NewClient(&redis.Options{
		Addr: addr, DialTimeout: timeout, DialerRetries: 1, ReadTimeout: timeout, WriteTimeout: timeout,
		PoolTimeout: timeout, MaxRetries: -1,
		ContextTimeoutEnabled: true, PoolSize: 64, DisableIdentity: true,
	})
}

// readSeen asks how often the user has seen the candidates' campaigns today, in one question.
func readSeen(ctx context.Context, db *redis.Client, candidates []candidate) error {
	if len(candidates) == 0 {
		return nil
	}
	keys := make([]string, len(candidates))
	for i := range candidates {
		keys[i] = candidates[i].key
	}
	values, err := db.MGet(ctx, keys...).Result()
	if err != nil {
		return fmt.Errorf("reading %d counters: %w", len(keys), err)
	}
	for i, v := range values {
		seen, err := countOf(v)
		if err != nil {
			return fmt.Errorf("the counter %s: %w", keys[i], err)
		}
		candidates[i].seen = seen
	}
	return nil
}

// countOf reads one value of an answer; a counter that is not there is 0.
func countOf(v any) (int64, error) {
	switch v := v.(type) {
	case nil:
		return 0, nil
	case string:
		return strconv.ParseInt(v, 10, 64)
	}
	return 0, fmt.Errorf("is a %T, not a number", v)
}
