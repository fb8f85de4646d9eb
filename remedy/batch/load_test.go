package batch

import (
	"context"
	"fmt"
	"io"
	"math"
	"net"
	"slices"
	"sync"
	"testing"
	"time"
)

// A load is callers that add items at a steady total rate: an open model, in which a late caller catches up.
type load struct {
	callers int
	rate    float64 // items a second
	during  time.Duration
}

// run calls do for each item, and returns how many there were and how long it took.
func (l load) run(do func()) (items int, took time.Duration) {
	each := int(l.rate * l.during.Seconds() / float64(l.callers))
	gap := time.Duration(float64(l.callers) / l.rate * float64(time.Second))
	start := time.Now()
	var wg sync.WaitGroup
	for c := range l.callers {
		due := start.Add(time.Duration(c) * gap / time.Duration(l.callers))
		wg.Go(func() {
			for range each {
				if ahead := time.Until(due); ahead > 0 {
					time.Sleep(ahead)
				}
				do()
				due = due.Add(gap)
			}
		})
	}
	wg.Wait()
	return each * l.callers, time.Since(start)
}

// A delays keeps how long items waited from Add to Flush.
type delays struct {
	mu  sync.Mutex
	all []time.Duration
}

func (d *delays) note(came []time.Time) {
	now := time.Now()
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, t := range came {
		d.all = append(d.all, now.Sub(t))
	}
}

func (d *delays) quantile(q float64) time.Duration {
	slices.Sort(d.all)
	return d.all[int(math.Ceil(q*float64(len(d.all))))-1]
}

// BenchmarkLoad is 100,000 items a second from 64 goroutines for 2 s, with Add, which waits for the outcome, and with
// Put. The operation on a batch is nothing (op=none), a round trip to a server on the loopback (op=rtt), or a sleep of
// 1 ms. 64 callers of Add that wait for 1 ms cannot reach the rate with any batcher, so the sleep is for Put only.
//
//	items/flush     must be 20 or more
//	p99/max         the 99th percentile of the time from Add to Flush, over MaxDelay: must be 1.1 or less
//	timer-p99/max   the same of bare timers of MaxDelay in the same run. Where that is far above 1, the machine
//	                does not let the process run, and p99/max says little
//	rate            items a second that were reached, in thousands: 100 is asked for
//
// It is one measurement: -benchtime 1x, on a machine that does nothing else.
func BenchmarkLoad(b *testing.B) {
	for _, c := range []struct {
		way, op  string
		maxDelay time.Duration
	}{
		{"add", "none", DefaultMaxDelay},
		{"add", "rtt", DefaultMaxDelay},
		{"put", "none", DefaultMaxDelay},
		{"put", "rtt", DefaultMaxDelay},
		{"add", "rtt", 10 * time.Millisecond},
		{"put", "rtt", 10 * time.Millisecond},
		{"put", "1ms", 10 * time.Millisecond},
	} {
		b.Run(fmt.Sprintf("way=%s/op=%s/max=%s", c.way, c.op, c.maxDelay), func(b *testing.B) {
			op := operation(b, c.op)
			for b.Loop() {
				benchmarkLoad(b, c.way, c.maxDelay, op)
			}
		})
	}
}

// operation is what a batch costs.
func operation(b *testing.B, kind string) func() {
	switch kind {
	case "rtt":
		return roundTrip(b)
	case "1ms":
		return func() { time.Sleep(time.Millisecond) }
	}
	return func() {}
}

// roundTrip sends a byte to a server of its own on the loopback and waits for the answer.
func roundTrip(b *testing.B) func() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	var served sync.WaitGroup
	served.Go(func() {
		if c, err := l.Accept(); err == nil {
			defer c.Close()
			_, _ = io.Copy(c, c)
		}
	})
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		c.Close()
		l.Close()
		served.Wait()
	})
	buf := make([]byte, 1)
	return func() {
		if _, err := c.Write(buf); err != nil {
			b.Error(err)
		}
		if _, err := io.ReadFull(c, buf); err != nil {
			b.Error(err)
		}
	}
}

func benchmarkLoad(b *testing.B, way string, maxDelay time.Duration, op func()) {
	var d delays
	bt, err := New(Config[time.Time]{MaxItems: 4096, MaxDelay: maxDelay,
		Flush: func(_ context.Context, came []time.Time) error {
			d.note(came)
			op()
			return nil
		}})
	if err != nil {
		b.Fatal(err)
	}
	do := bt.Add
	if way == "put" {
		do = bt.Put
	}
	stop, timers := make(chan struct{}), make(chan *delays)
	go func() { timers <- bareTimers(maxDelay, stop) }()
	items, took := load{callers: 64, rate: 100_000, during: 2 * time.Second}.run(func() {
		if err := do(b.Context(), time.Now()); err != nil {
			b.Error(err)
		}
	})
	close(stop)
	bare := <-timers
	if err := bt.Stop(b.Context()); err != nil {
		b.Fatal(err)
	}
	over := func(d *delays, q float64) float64 { return float64(d.quantile(q)) / float64(maxDelay) }
	b.ReportMetric(0, "ns/op") // meaningless: the load sets it
	b.ReportMetric(float64(items)/float64(bt.Stats().Flushes), "items/flush")
	b.ReportMetric(over(&d, 0.5), "p50/max")
	b.ReportMetric(over(&d, 0.99), "p99/max")
	b.ReportMetric(over(bare, 0.99), "timer-p99/max")
	b.ReportMetric(float64(items)/took.Seconds()/1000, "rate")
}

// bareTimers measures how long sleeps of d take until stop is closed. Any batcher that waits for a timer has at least
// this delay.
func bareTimers(d time.Duration, stop <-chan struct{}) *delays {
	var all delays
	for {
		began := time.Now()
		select {
		case <-time.After(d):
			all.note([]time.Time{began})
		case <-stop:
			return &all
		}
	}
}
