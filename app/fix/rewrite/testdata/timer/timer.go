// Package timer waits with a limit.
package timer

import "time"

const patience = time.Minute

type pump struct {
	in    chan int
	quit  chan struct{}
	limit time.Duration
}

// run is lab/holdout/pump.
func (p *pump) run() (sum int) {
	for {
		select {
		case r := <-p.in:
			sum += r
		case <-time.After(patience):
			println("silence")
		case <-p.quit:
			return sum
		}
	}
}

// labelled ends the loop by its name, with a duration of its own.
func (p *pump) labelled() (sum int) {
loop:
	for {
		select {
		case r, ok := <-p.in:
			if !ok {
				break loop
			}
			sum += r
		case at := <-time.After(2 * p.limit):
			println(at.Unix())
			break loop
		}
	}
	return sum
}

// backoff works its duration out anew.
func (p *pump) backoff() {
	for i := range 10 {
		wait := time.Second << i
		select {
		case <-time.After(wait):
		case <-p.quit:
			return
		}
	}
}

// sometimes waits in a branch.
func (p *pump) sometimes() {
	for r := range p.in {
		if r == 0 {
			select {
			case <-time.After(patience):
			case <-p.quit:
			}
		}
	}
}

// nested is a loop in a loop.
func (p *pump) nested() {
	for range 10 {
		for {
			select {
			case <-p.in:
			case <-time.After(patience):
			}
		}
	}
}

// once is not in a loop.
func (p *pump) once() {
	select {
	case <-p.in:
	case <-time.After(patience):
	}
}

// plain waits for nothing else.
func (p *pump) plain() {
	for {
		<-time.After(patience)
	}
}
