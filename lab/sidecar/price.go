package sidecar

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// A place is one process that calls are made from, through or to.
type place struct {
	name string
	pid  int
}

// A Price is what a call costs on one path.
type Price struct {
	Callers  int // at once
	Through  bool
	P50, P99 time.Duration // of a call
	// CPU is the time of each process for a call: of the caller, of Redis, and of the sidecar where it is on the path.
	CPU map[string]time.Duration
}

// The places of a call.
const (
	callerPlace  = "caller"
	sidecarPlace = "sidecar"
	redisPlace   = "Redis"
)

// all is the CPU time of a call in all places.
func (p *Price) all() (sum time.Duration) {
	for _, d := range p.CPU {
		sum += d
	}
	return sum
}

// A path is a way to Redis under measurement.
type path struct {
	addr    string
	through bool
	places  []place

	took []time.Duration
	cpu  map[string]time.Duration
}

// pace is how long a turn of a path takes, and how many it has.
type pace struct {
	turn  time.Duration
	turns int
}

// measure makes calls on each path in turns, from so many callers at once.
func measure(ctx context.Context, callers int, paths []*path, p pace) ([]Price, error) {
	clients := make([]*redis.Client, len(paths))
	for i, way := range paths {
		clients[i] = redis.NewClient(&redis.Options{Addr: way.addr, PoolSize: callers, DisableIdentity: true})
		defer clients[i].Close() // it was only asked
		way.took, way.cpu = nil, map[string]time.Duration{}
		if err := clients[i].Ping(ctx).Err(); err != nil {
			return nil, fmt.Errorf("asking Redis at %s: %w", way.addr, err)
		}
	}
	for t := range p.turns {
		for k := range paths {
			i := (t + k) % len(paths) // who is first changes, so that nobody always follows the same one
			if err := paths[i].turn(ctx, clients[i], callers, p.turn); err != nil {
				return nil, err
			}
		}
	}
	prices := make([]Price, len(paths))
	for i, way := range paths {
		prices[i] = way.price(callers)
	}
	return prices, nil
}

// turn makes calls for some time.
func (w *path) turn(ctx context.Context, client *redis.Client, callers int, long time.Duration) error {
	before, err := w.look()
	if err != nil {
		return err
	}
	took, errs := make([][]time.Duration, callers), make([]error, callers)
	var calling sync.WaitGroup
	for i := range callers {
		calling.Go(func() { took[i], errs[i] = call(ctx, client, i, long) })
	}
	calling.Wait()
	after, err := w.look()
	if err := errors.Join(append(errs, err)...); err != nil {
		return err
	}
	for i, p := range w.places {
		w.cpu[p.name] += after[i] - before[i]
	}
	w.took = append(w.took, slices.Concat(took...)...)
	return nil
}

// call counts an impression, as the delivery service does, again and again; once at the least.
func call(ctx context.Context, client *redis.Client, caller int, long time.Duration) (took []time.Duration, _ error) {
	key := fmt.Sprintf("seen:%d:2026-11-23:100000000", caller)
	for began := time.Now(); ; {
		at := time.Now()
		if err := client.Incr(ctx, key).Err(); err != nil {
			return nil, fmt.Errorf("counting: %w", err)
		}
		took = append(took, time.Since(at))
		if time.Since(began) >= long {
			return took, nil
		}
	}
}

// look is the CPU time that each place has used so far.
func (w *path) look() ([]time.Duration, error) {
	used := make([]time.Duration, len(w.places))
	for i, p := range w.places {
		var err error
		if used[i], err = cpuOf(p.pid); err != nil {
			return nil, fmt.Errorf("the CPU time of %s: %w", p.name, err)
		}
	}
	return used, nil
}

func (w *path) price(callers int) Price {
	slices.Sort(w.took)
	n := len(w.took)
	p := Price{Callers: callers, Through: w.through, P50: w.took[n/2], P99: w.took[n*99/100],
		CPU: map[string]time.Duration{}}
	for name, used := range w.cpu {
		p.CPU[name] = used / time.Duration(n)
	}
	return p
}

// self is this process, the caller.
func self() place { return place{callerPlace, os.Getpid()} }
