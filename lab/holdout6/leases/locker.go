package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

// release deletes a lock that is still ours.
var release = redis.NewScript(`
	if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end
	return 0`)

// A locker locks names for all instances.
type locker struct {
	rdb *redis.Client
	ttl time.Duration
}

// A Lease is a lock that is held.
type Lease struct {
	rdb         *redis.Client
	name, token string
}

// Acquire waits until the lock is free, or ctx ends.
func (l *locker) Acquire(ctx context.Context, name string) (*Lease, error) {
	lease := &Lease{rdb: l.rdb, name: "lock:" + name, token: rand.Text()}
	for {
		ok, err := l.rdb.SetNX(ctx, lease.name, lease.token, l.ttl).Result()
		if err != nil {
			return nil, fmt.Errorf("locking %s: %w", name, err)
		}
		if ok {
			return lease, nil
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("locking %s: %w", name, ctx.Err())
		case <-time.After(time.Millisecond):
		}
	}
}

// Release gives the lock back.
func (l *Lease) Release(ctx context.Context) error {
	return release.Run(ctx, l.rdb, []string{l.name}, l.token).Err()
}
