package timerinloop

import (
	"context"
	"time"
)

func work() {}

func receives(in chan int, d time.Duration) {
	for {
		select {
		case <-in:
			work()
		case <-time.After(d): // want `each turn makes a timer`
			return
		}
	}
}

func timers(ctx context.Context, in []int) {
	for range in {
		t := time.NewTimer(time.Minute) // want `each turn makes a timer`
		select {
		case <-t.C:
		case <-ctx.Done():
		}
		t.Stop()
	}
}

func ticks(in chan int) {
	for range in {
		<-time.Tick(time.Millisecond) // want `each turn makes a timer`
	}
}

// What follows is fine.

func one(in chan int, d time.Duration) {
	t := time.NewTimer(d)
	for {
		t.Reset(d)
		select {
		case <-in:
		case <-t.C:
			return
		}
	}
}

func ticker(in chan int) {
	for range time.Tick(time.Second) {
		work()
	}
	<-time.After(time.Second)
}

type peer struct{ t *time.Timer }

func each(peers []*peer) (all []*time.Timer) {
	for _, p := range peers {
		p.t = time.NewTimer(time.Second)
		all = append(all, time.NewTimer(time.Second))
	}
	return all
}

func leaves(in []int) {
	for range in {
		<-time.After(time.Second)
		return
	}
}

func init() {
	for range 3 {
		<-time.After(time.Millisecond)
	}
}
