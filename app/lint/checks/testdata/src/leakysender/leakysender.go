package leakysender

import (
	"context"
	"errors"
	"time"
)

func slow() int { return 1 }

func timeout() (int, error) {
	c := make(chan int)
	go func() {
		c <- slow() // want `this send waits for ever`
	}()
	select {
	case n := <-c:
		return n, nil
	case <-time.After(time.Second):
		return 0, errors.New("timeout")
	}
}

func cancelled(ctx context.Context) (n int, err error) {
	result := make(chan int)
	go func() {
		n := slow()
		result <- n // want `this send waits for ever`
	}()
	for {
		select {
		case n := <-result:
			return n, nil
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
}

func twoWays(ctx context.Context) error {
	out, errs := make(chan int), make(chan error)
	go func() {
		if n := slow(); n > 0 {
			out <- n // want `this send waits for ever`
		} else {
			errs <- errors.New("no") // want `this send waits for ever`
		}
	}()
	select {
	case <-out:
		return nil
	case err := <-errs:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func sendsMore(ctx context.Context) {
	c := make(chan int)
	go func() {
		c <- slow() // want `this send waits for ever`
		slow()
	}()
	select {
	case <-c:
	case <-ctx.Done():
		return
	}
}

func each(ctx context.Context, n int) {
	c := make(chan int)
	for range n {
		go func() {
			c <- slow() // want `this send waits for ever`
		}()
	}
	select {
	case <-c:
	case <-ctx.Done():
		return
	}
}

// What follows is fine.

func buffered(ctx context.Context) int {
	c := make(chan int, 1)
	go func() { c <- slow() }()
	select {
	case n := <-c:
		return n
	case <-ctx.Done():
		return 0
	}
}

func alwaysReceives() int {
	c := make(chan int)
	go func() { c <- slow() }()
	return <-c
}

func senderAsks(ctx context.Context) int {
	c := make(chan int)
	go func() {
		select {
		case c <- slow():
		case <-ctx.Done():
		}
	}()
	select {
	case n := <-c:
		return n
	case <-ctx.Done():
		return 0
	}
}

func drains(ctx context.Context) int {
	c := make(chan int)
	go func() { c <- slow() }()
	select {
	case n := <-c:
		return n
	case <-ctx.Done():
		<-c
		return 0
	}
}

func closes(ctx context.Context) {
	done := make(chan struct{})
	go func() { slow(); close(done) }()
	select {
	case <-done:
	case <-ctx.Done():
		return
	}
}

func passedOn(ctx context.Context) {
	c := make(chan int)
	go func() { c <- slow() }()
	go drain(c)
	select {
	case <-c:
	case <-ctx.Done():
		return
	}
}

func drain(c chan int) { <-c }

func firstError(n int) error {
	errs := make(chan error)
	for range n {
		go func() {
			errs <- check() // want `this send waits for ever`
		}()
	}
	for range n {
		if err := <-errs; err != nil {
			return err
		}
	}
	return nil
}

func find(all []int) int {
	c := make(chan int)
	go func() {
		defer close(c)
		for _, n := range all {
			c <- n // want `this send waits for ever`
		}
	}()
	for n := range c {
		if n > 3 {
			return n
		}
	}
	return 0
}

func check() error { return nil }

func allErrors(n int) (err error) {
	errs := make(chan error)
	for range n {
		go func() { errs <- check() }()
	}
	for range n {
		err = errors.Join(err, <-errs)
	}
	return err
}

func sum(all []int) (n int) {
	c := make(chan int)
	go func() {
		defer close(c)
		for _, n := range all {
			c <- n
		}
	}()
	for x := range c {
		n += x
	}
	return n
}

func fastest(n int) int {
	c := make(chan int)
	for i := range n {
		go ask(i, c) // want `this send waits for ever`
	}
	return <-c
}

func ask(i int, answers chan<- int) { answers <- i + slow() }

func firstOf(n int) int {
	c := make(chan int)
	for range n {
		go func() { c <- slow() }() // want `this send waits for ever`
	}
	return <-c
}

func askOne() int {
	c := make(chan int)
	go ask(1, c)
	return <-c
}

func askPolite(ctx context.Context, n int) int {
	c := make(chan int)
	for i := range n {
		go polite(ctx, i, c)
	}
	return <-c
}

func polite(ctx context.Context, i int, answers chan<- int) {
	select {
	case answers <- i:
	case <-ctx.Done():
	}
}

func two() int {
	c := make(chan int)
	for range 2 {
		go func() { c <- slow() }()
	}
	return <-c + <-c
}
