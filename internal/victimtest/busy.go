package victimtest

import (
	"sync"
	"testing"
)

// StartNew builds the victim, and starts it as Start does.
func StartNew(tb testing.TB, args ...string) (addr string, stop func()) {
	tb.Helper()
	bin, err := Build(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	return Start(tb, bin, args...)
}

// Burn computes, in this process.
func Burn(n int) (sum int) {
	for i := range n {
		sum += i * i
	}
	return sum
}

// MakeEvents lets two goroutines of this process wake each other all the time.
func MakeEvents() (stop func()) {
	ping, pong := make(chan int), make(chan int)
	var group sync.WaitGroup
	group.Go(func() {
		defer close(pong)
		for v := range ping {
			pong <- v
		}
	})
	end := make(chan struct{})
	group.Go(func() {
		defer close(ping)
		for {
			select {
			case <-end:
				return
			case ping <- 1:
				<-pong
			}
		}
	})
	return func() { close(end); group.Wait() }
}
