package ads

import (
	"context"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// markSpawned starts a goroutine for each mark, which sends its command and waits for the answer.
type markSpawned struct {
	db      *redis.Client
	timeout time.Duration
	lost    func(int)
	running sync.WaitGroup
}

func (m *markSpawned) mark(marks []mark) {
	for _, k := range marks {
		m.running.Go(func() { m.set(k) })
	}
}

func (m *markSpawned) set(k mark) {
	ctx, cancel := context.WithTimeout(context.Background(), m.timeout) // the request may be over
	defer cancel()
	if err := m.db.Set(ctx, k.key, k.value(), keep).Err(); err != nil {
		m.lost(1)
	}
}

func (m *markSpawned) close(ctx context.Context) error {
	done := make(chan struct{})
	go func() {
		m.running.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
