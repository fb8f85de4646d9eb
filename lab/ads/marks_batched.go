package ads

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/gocasebook/casebook/remedy/batch"
)

// markBatched sends the marks of all requests together, in one pipeline. MSET cannot set when keys end.
type markBatched struct {
	db      *redis.Client
	timeout time.Duration
	lost    func(int)
	batches *batch.Batcher[[]mark]
}

func newMarkBatched(db *redis.Client, timeout time.Duration, lost func(int)) (*markBatched, error) {
	m := &markBatched{db: db, timeout: timeout, lost: lost}
	var err error
	// 64 requests are some 640 marks, 50 KB. Nobody waits, so that they may gather for some milliseconds.
	m.batches, err = batch.New(batch.Config[[]mark]{Flush: m.flush, MaxItems: 64, MaxFlushes: 2,
		MaxDelay: 10 * time.Millisecond, OnError: func(marks []mark, _ error) { lost(len(marks)) }})
	if err != nil {
		return nil, fmt.Errorf("making the batches of marks: %w", err)
	}
	return m, nil
}

func (m *markBatched) mark(marks []mark) {
	ctx, cancel := context.WithTimeout(context.Background(), m.timeout) // the request may be over
	defer cancel()
	if err := m.batches.Put(ctx, marks); err != nil {
		m.lost(len(marks))
	}
}

func (m *markBatched) flush(ctx context.Context, requests [][]mark) error {
	ctx, cancel := context.WithTimeout(ctx, m.timeout)
	defer cancel()
	_, err := m.db.Pipelined(ctx, func(p redis.Pipeliner) error {
		for _, marks := range requests {
			for _, k := range marks {
				p.Set(ctx, k.key, k.value(), keep)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("noting the marks of %d requests: %w", len(requests), err)
	}
	return nil
}

func (m *markBatched) close(ctx context.Context) error {
	if err := m.batches.Stop(ctx); err != nil {
		return fmt.Errorf("flushing the marks: %w", err)
	}
	return nil
}
