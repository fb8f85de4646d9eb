package feature

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

// A shared cache is Redis, which all replicas of the compute tier have in common. A value is the deadline (ms since
// 1970, 8 bytes) and the group's JSON, so that a copy in a process does not outlive it.
//
// It is a cache: without it everything is slower and nothing is wrong. After a failure it is left alone for a moment
// (pause), so that a Redis that is away costs a request nothing, and asked again afterwards.
type shared struct {
	client  *redis.Client
	timeout time.Duration // of one round trip
	resume  atomic.Int64  // ns since 1970: not asked before
	failed  func()        // counts a failure
}

// pause is how long Redis is left alone after a failure: long beside a timeout, short beside a restart.
const pause = 500 * time.Millisecond

// errAway is the error of a call within the pause.
var errAway = errors.New("redis failed a moment ago and is left alone")

// errMoved is the error of a value that is not as this version of the service writes it.
var errMoved = errors.New("the value in Redis is not a group of that user: another program uses the same keys")

func newShared(address string, timeout time.Duration, failed func()) *shared {
	return &shared{timeout: timeout, failed: failed, client: redis.NewClient(&redis.Options{
		Addr: address, DialTimeout: timeout, ReadTimeout: timeout, WriteTimeout: timeout, PoolTimeout: timeout,
		ContextTimeoutEnabled: true, MaxRetries: -1, // whoever waits gets the group from the origin instead
		PoolSize: 64, DialerRetries: 1,
	})}
}

// A stored group is what Redis has of a key; no data when it has none.
type stored struct {
	data     []byte
	deadline time.Time
}

// get asks for keys at once. The answer has one for each.
func (s *shared) get(ctx context.Context, keys []key) ([]stored, error) {
	out := make([]stored, len(keys))
	err := s.do(ctx, func(ctx context.Context) error {
		values, err := s.client.MGet(ctx, redisKeys(keys)...).Result()
		if err != nil {
			return fmt.Errorf("reading %d groups from Redis: %w", len(keys), err)
		}
		for i, v := range values {
			if text, ok := v.(string); ok {
				if out[i], err = parseStored(keys[i], text); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return out, err
}

// A write is a group for Redis.
type write struct {
	key key
	stored
}

// set writes groups in one round trip.
func (s *shared) set(ctx context.Context, writes []write) error {
	return s.do(ctx, func(ctx context.Context) error {
		pipe := s.client.Pipeline()
		for _, w := range writes {
			if left := time.Until(w.deadline); left >= time.Millisecond {
				pipe.Set(ctx, redisKey(w.key), appendStored(nil, w.stored), left.Truncate(time.Millisecond))
			}
		}
		if _, err := pipe.Exec(ctx); err != nil {
			return fmt.Errorf("writing %d groups to Redis: %w", len(writes), err)
		}
		return nil
	})
}

// do calls f with the timeout, unless Redis is to be left alone.
func (s *shared) do(ctx context.Context, f func(context.Context) error) error {
	if time.Now().UnixNano() < s.resume.Load() {
		return errAway
	}
	limited, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	err := f(limited)
	if err != nil && ctx.Err() == nil { // a caller who has gone says nothing of Redis
		s.resume.Store(time.Now().Add(pause).UnixNano())
		s.failed()
	}
	return err
}

// Close closes the connections.
func (s *shared) Close() error { return s.client.Close() }

func redisKeys(keys []key) []string {
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = redisKey(k)
	}
	return out
}

// redisKey is "f:clicks:123", and with the minute "f:clicks:123:20261123T150400".
func redisKey(k key) string {
	b := make([]byte, 0, 40)
	b = append(b, "f:"...)
	b = append(b, k.group().String()...)
	b = append(b, ':')
	b = strconv.AppendUint(b, k.user(), 10)
	if k.period != 0 {
		b = time.Unix(0, int64(k.period)).UTC().AppendFormat(b, ":20060102T150405.999")
	}
	return string(b)
}

func appendStored(b []byte, s stored) []byte {
	b = binary.BigEndian.AppendUint64(b, uint64(s.deadline.UnixMilli()))
	return append(b, s.data...)
}

// parseStored reads a value. Its end says whose it is, which tells a foreign one.
func parseStored(k key, text string) (stored, error) {
	b := []byte(text)
	end := strconv.AppendUint([]byte(`"group":"`+k.group().String()+`","user":`), k.user(), 10)
	if len(b) < 8 || !bytes.HasSuffix(b, append(end, '}')) {
		return stored{}, errMoved
	}
	return stored{data: b[8:], deadline: time.UnixMilli(int64(binary.BigEndian.Uint64(b)))}, nil
}
