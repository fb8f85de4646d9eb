// Package room has goroutines that send answers.
package room

import (
	"context"
	"errors"
	"time"
)

var mirrors = []string{"oslo", "porto", "gdansk"}

// Suppliers can be changed by anybody.
var Suppliers []string

func ask(string) string { return "" }

// fastest is lab/holdout/newsdesk: one answer of three is taken.
func fastest() string {
	answers := make(chan string)
	for _, m := range mirrors {
		go func() {
			answers <- ask(m)
		}()
	}
	return <-answers
}

type outcome struct {
	v   int
	err error
}

// first is lab/holdout5/metasearch.
func first(ctx context.Context, runners ...func(context.Context) (int, error)) (int, error) {
	outcomes := make(chan outcome)
	for _, run := range runners {
		go func() {
			v, err := run(ctx)
			outcomes <- outcome{v, err}
		}()
	}
	for range runners {
		select {
		case o := <-outcomes:
			if o.err == nil {
				return o.v, nil
			}
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
	return 0, errors.New("none")
}

// patient waits a second, and sends on one of two ways.
func patient(f func() (string, error)) string {
	done := make(chan string)
	go func() {
		s, err := f()
		if err != nil {
			done <- err.Error()
			return
		}
		done <- s
	}()
	select {
	case s := <-done:
		return s
	case <-time.After(time.Second):
		return "late"
	}
}

// numbered starts n.
func numbered(n int) int {
	c := make(chan int)
	for i := range n {
		go func() { c <- i }()
	}
	return <-c
}

// exported goes over what others may change.
func exported() string {
	answers := make(chan string)
	for _, s := range Suppliers {
		go func() { answers <- ask(s) }()
	}
	return <-answers
}

// many sends in a loop.
func many() int {
	c := make(chan int)
	go func() {
		for i := range 10 {
			c <- i
		}
	}()
	return <-c
}

// twice sends twice.
func twice() int {
	c := make(chan int)
	go func() {
		c <- 1
		c <- 2
	}()
	return <-c
}

// shared gives the channel away.
func shared(to func(chan int)) int {
	c := make(chan int)
	go func() { c <- 1 }()
	to(c)
	return <-c
}

// grown appends to what the loop goes over.
func grown(names []string) string {
	c := make(chan string)
	names = append(names, "x")
	for _, n := range names {
		go func() { c <- n }()
	}
	return <-c
}

// turns hands over: no goroutine sends.
func turns(work chan int) {
	c := make(chan int)
	go func() { work <- <-c }()
	c <- 1
}
