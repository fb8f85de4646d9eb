package feature

import (
	"context"
	"errors"
	"strconv"
	"time"
)

// loaded is the JSON of all groups: they expire together, so they are loaded together, whatever was asked for.
type loaded [len(groupNames)][]byte

// load gets the groups of a user, once for all who ask meanwhile. A caller whose context is done leaves; the load goes
// on for the others, and so that the next finds it in the cache. Close waits for it.
func (s *Compute) load(ctx context.Context, user uint64) (loaded, error) {
	type result struct {
		groups any
		err    error
	}
	done := make(chan result, 1)
	s.loading.Go(func() {
		groups, err, _ := s.flights.Do(strconv.FormatUint(user, 10),
			func() (any, error) { return s.loadUser(ctx, user) })
		done <- result{groups, err}
	})
	select {
	case r := <-done:
		if r.err != nil {
			return loaded{}, r.err
		}
		return r.groups.(loaded), nil
	case <-ctx.Done():
		return loaded{}, context.Cause(ctx)
	}
}

func (s *Compute) loadUser(ctx context.Context, user uint64) (loaded, error) {
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.config.Timeout)
	defer cancel()
	groups, err := s.loadUsers(limited, user, user+1)
	if err != nil {
		return loaded{}, err
	}
	return groups[0], nil
}

// loadUsers gets the groups of the users from first to last, last left out: from Redis, else from the origin, and then
// into Redis. All of them are in the local cache afterwards. Without Redis the origin does it all.
func (s *Compute) loadUsers(ctx context.Context, first, last uint64) ([]loaded, error) {
	keys := keysOf(first, last, s.lifetime.of(time.Now()))
	found := s.askRedis(ctx, keys)
	var writes []write
	for i, k := range keys {
		if found[i].data == nil {
			computed, err := s.compute(ctx, k)
			if err != nil {
				return nil, err
			}
			found[i] = computed
			writes = append(writes, write{k, computed})
		}
		if err := s.local.Set(k, found[i].data, found[i].deadline); err != nil {
			return nil, err
		}
	}
	s.tellRedis(ctx, writes)
	out := make([]loaded, last-first)
	for i, k := range keys {
		out[k.user()-first][k.group()] = found[i].data
	}
	return out, nil
}

func keysOf(first, last, period uint64) []key {
	keys := make([]key, 0, int(last-first)*len(groupNames))
	for user := first; user < last; user++ {
		for g := range groupNames {
			keys = append(keys, newKey(user, groupID(g), period))
		}
	}
	return keys
}

// compute has the origin compute a group.
func (s *Compute) compute(ctx context.Context, k key) (stored, error) {
	g, err := s.origin.group(ctx, k)
	if err != nil {
		return stored{}, err
	}
	s.metrics.computed.Inc()
	return stored{data: appendGroup(make([]byte, 0, groupBytes), g), deadline: s.lifetime.deadline(time.Now())}, nil
}

// askRedis gets what Redis has of keys: nothing when it is away. What is past its deadline does not count.
func (s *Compute) askRedis(ctx context.Context, keys []key) []stored {
	if s.shared == nil {
		return make([]stored, len(keys))
	}
	found, err := s.shared.get(ctx, keys)
	if err != nil {
		s.told(err)
		return make([]stored, len(keys))
	}
	now := time.Now()
	for i := range found {
		s.metrics.redisCache.lookup(found[i].data != nil)
		if !now.Before(found[i].deadline) {
			found[i] = stored{}
		}
	}
	return found
}

// tellRedis writes what was computed. When it cannot be written, the next who asks computes it again.
func (s *Compute) tellRedis(ctx context.Context, writes []write) {
	if s.shared == nil || len(writes) == 0 {
		return
	}
	s.told(s.shared.set(ctx, writes))
}

// told logs an error of Redis: one a pause.
func (s *Compute) told(err error) {
	if err != nil && !errors.Is(err, errAway) && !errors.Is(err, context.Canceled) {
		s.log.Warn("redis failed; the origin computes what the local cache does not hold", "err", err)
	}
}
