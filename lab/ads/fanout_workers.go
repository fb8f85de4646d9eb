package ads

import (
	"context"
	"sync"
)

// A pool is a fixed number of goroutines that search for all requests.
type pool struct {
	tasks   chan task
	workers sync.WaitGroup
	size    int
}

type task struct {
	part   []ad
	search func([]ad) []candidate
	found  *[]candidate
	done   *sync.WaitGroup
}

// partAds is how many ads are worth handing over: going through them takes ten microseconds and more, a hand-over about
// one.
const partAds = 1000

// startPool starts the workers, which run until close.
func startPool(size int) *pool {
	p := &pool{tasks: make(chan task), size: size}
	for range size {
		p.workers.Go(func() {
			for t := range p.tasks {
				*t.found = t.search(t.part)
				t.done.Done()
			}
		})
	}
	return p
}

// run waits for free workers until ctx is done. It does not return before all parts that were handed over are searched.
func (p *pool) run(ctx context.Context, j job) ([][]candidate, error) {
	split := parts(j.ads, min(p.size, (len(j.ads)+partAds-1)/partAds))
	found := make([][]candidate, len(split))
	var done sync.WaitGroup
	defer done.Wait()
	for i, part := range split {
		done.Add(1)
		select {
		case p.tasks <- task{part, j.search, &found[i], &done}:
		case <-ctx.Done():
			done.Done()
			return nil, context.Cause(ctx)
		}
	}
	done.Wait()
	return found, nil
}

func (p *pool) close() {
	close(p.tasks)
	p.workers.Wait()
}
