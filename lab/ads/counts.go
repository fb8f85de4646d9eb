package ads

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// keep is how long a day's counter is kept: until the day is over everywhere.
const keep = 48 * time.Hour

// A counter counts impressions in Redis. add returns when all keys are counted, or with how many are not and why.
type counter interface {
	add(ctx context.Context, keys []string) (uncounted int, err error)
	// close flushes what is under way. No add may follow.
	close(ctx context.Context) error
}

// newCounter makes the counter that the flag -counts names.
func newCounter(form string, db *redis.Client, timeout time.Duration) (counter, error) {
	if form == countsEach {
		return countEach{db}, nil
	}
	return newCountBatched(db, timeout)
}
