//go:build go1.22

package afterinloop

import (
	"context"
	"time"
)

func read(in chan int, idle time.Duration) {
	for {
		select {
		case <-in:
		case <-time.After(idle): // want `each turn leaves a timer behind`
			return
		}
	}
}

func minutes(ctx context.Context, in chan int) {
	for ctx.Err() == nil {
		select {
		case n := <-in:
			println(n)
		case <-ctx.Done():
			return
		case <-time.After(5 * time.Minute): // want `each turn leaves a timer behind`
			println("idle")
		}
	}
}

// What follows is fine.

func polls(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Minute): // each fires before the next is made
		}
	}
}

func short(in chan int) {
	for {
		select {
		case <-in:
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func once(in chan int) {
	select {
	case <-in:
	case <-time.After(time.Minute):
	}
}

func sleeps() {
	for {
		<-time.After(time.Minute)
	}
}

func one(in chan int, d time.Duration) {
	timeout := time.After(d)
	for {
		select {
		case <-in:
		case <-timeout:
			return
		}
	}
}

func returns(in chan int, d time.Duration) {
	for range 3 {
		select {
		case <-in:
		case <-time.After(d):
			println("late")
		}
		return
	}
}
