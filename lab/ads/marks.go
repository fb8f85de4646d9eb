package ads

import (
	"context"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

// A marker notes in Redis when the user was last considered for a campaign, for services that limit that as well.
// Nobody waits for it: mark returns at once, and what cannot be noted is lost and counted.
type marker interface {
	mark(marks []mark)
	// close waits until what was marked is in Redis, or lost, or ctx is done. No mark may follow.
	close(ctx context.Context) error
}

// A mark is one key and its value.
type mark struct {
	key  string
	unix int64 // seconds
}

// newMarker makes the marker that the flag -marks-by names.
func newMarker(form string, db *redis.Client, timeout time.Duration, lost func(int)) (marker, error) {
	if form == marksGoroutines {
		return &markSpawned{db: db, timeout: timeout, lost: lost}, nil
	}
	return newMarkBatched(db, timeout, lost)
}

// marksOf are the marks of the best n candidates.
func marksOf(considered []candidate, n int, now time.Time) []mark {
	marks := make([]mark, min(n, len(considered)))
	for i := range marks {
		marks[i] = mark{"considered:" + considered[i].key, now.Unix()}
	}
	return marks
}

func (m mark) value() string { return strconv.FormatInt(m.unix, 10) }
