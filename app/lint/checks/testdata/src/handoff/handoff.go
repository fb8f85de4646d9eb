package handoff

import "context"

type request struct {
	key   string
	reply chan string
}

type pipe struct {
	lines chan string
	wide  chan string
	asks  chan request
	errs  chan error
}

func newPipe(n int) *pipe {
	return &pipe{lines: make(chan string), wide: make(chan string, 64), asks: make(chan request), errs: make(chan error)}
}

func (p *pipe) feed(lines []string) {
	for _, l := range lines {
		p.lines <- l // want `each of these waits until the value is taken`
	}
}

func (p *pipe) until(ctx context.Context, lines []string) error {
	for _, l := range lines {
		select {
		case p.lines <- l: // want `each of these waits until the value is taken`
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func generate(n int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for i := range n {
			out <- i // want `each of these waits until the value is taken`
		}
	}()
	return out
}

// What follows is fine.

func (p *pipe) buffered(lines []string) {
	for _, l := range lines {
		p.wide <- l
	}
}

func (p *pipe) ask(keys []string) {
	for _, k := range keys {
		p.asks <- request{key: k}
	}
}

func (p *pipe) drops(lines []string, err error) {
	for _, l := range lines {
		select {
		case p.lines <- l:
		default:
		}
		p.errs <- err
	}
	p.lines <- "end"
}

func signals(n int) {
	done := make(chan struct{})
	go func() {
		for range n {
			done <- struct{}{}
		}
	}()
	for range n {
		<-done
	}
}

func first(lines []string, out chan string) {
	c := make(chan string)
	for _, l := range lines {
		c <- l
		return
	}
	for _, l := range lines {
		out <- l // nobody knows what room it has
	}
}
