package main

import "time"

// A load is what a service has to do, as functions of the time since measuring began, negative while it warms up.
type load struct {
	name, text string
	rate       func(t time.Duration) int           // requests a second
	live       func(t time.Duration) int           // bytes that stay reachable
	hold       func(t time.Duration) time.Duration // how long a request keeps its memory, waiting for a backend
	neighbour  bool                                // another process in the cgroup grows, stays, and leaves
}

const (
	limit  = 192 << 20       // of the cgroup: small, so that a run of seconds has a dozen cycles
	target = limit / 10 * 9  // what package gctune aims at by default
	burst  = 2 * time.Second // from one to the next

	neighbourBytes = 12 << 20 // a second
)

// loadsOf gives the four loads, made for so long a measurement.
func loadsOf(measure time.Duration) []load {
	return []load{
		{name: "steady", text: "4000 requests/s, 42 MiB live", rate: always(4000), live: always(42 << 20),
			hold: always[time.Duration](0)},
		{
			name: "burst",
			text: "2000 requests/s, but 6000/s that wait 60 ms for a backend in 0.4 s of each 2 s; 30 MiB live",
			rate: inBurst(2000, 6000), live: always(30 << 20), hold: inBurst[time.Duration](0, 60*time.Millisecond),
		},
		{
			name: "growing", text: "4000 requests/s, live from 18 to 90 MiB", rate: always(4000),
			hold: always[time.Duration](0),
			live: func(t time.Duration) int {
				return 18<<20 + int(min(max(t.Seconds()/measure.Seconds(), 0), 1)*(72<<20))
			},
		},
		{
			name: "neighbour",
			text: "4000 requests/s, 36 MiB live; another process of the cgroup grows by 12 MiB/s for half of the " +
				"time, stays a quarter, and ends",
			rate: always(4000), live: always(36 << 20), hold: always[time.Duration](0), neighbour: true,
		},
	}
}

func always[T any](v T) func(time.Duration) T { return func(time.Duration) T { return v } }

func inBurst[T any](usual, high T) func(time.Duration) T {
	return func(t time.Duration) T {
		if t > 0 && t%burst > burst*4/5 {
			return high
		}
		return usual
	}
}

// neighbour takes memory step by step, keeps it for a while and ends.
func neighbour(p plan) {
	time.Sleep(p.warmUp)
	const step = 10 * time.Millisecond
	var kept [][]byte
	for t := time.Duration(0); t < p.measure/2; t += step {
		b := make([]byte, neighbourBytes*step/time.Second)
		for i := 0; i < len(b); i += 4096 {
			b[i] = 1
		}
		kept = append(kept, b)
		time.Sleep(step)
	}
	time.Sleep(p.measure / 4)
	_ = kept[0][0]
}
