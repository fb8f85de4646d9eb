package ads

import (
	"context"
	"sync"
)

// spawn searches with goroutines of the request's own; part is how many ads each gets.
type spawn struct{ part int }

func (s spawn) run(_ context.Context, j job) ([][]candidate, error) {
	split := parts(j.ads, (len(j.ads)+s.part-1)/s.part)
	found := make([][]candidate, len(split))
	var wg sync.WaitGroup
	for i, part := range split {
		wg.Go(func() { found[i] = j.search(part) })
	}
	wg.Wait()
	return found, nil
}

func (spawn) close() {}
