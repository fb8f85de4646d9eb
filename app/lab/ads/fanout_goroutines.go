package ads

import (
	"context"
	"sync"
)

// spawn searches with goroutines of the request's own.
type spawn struct{}

// spawnAds is how many ads each gets.
const spawnAds = 5

func (spawn) run(_ context.Context, j job) ([][]candidate, error) {
	split := parts(j.ads, (len(j.ads)+spawnAds-1)/spawnAds)
	found := make([][]candidate, len(split))
	var wg sync.WaitGroup
	for i, part := range split {
		wg.Go(func() { found[i] = j.search(part) })
	}
	wg.Wait()
	return found, nil
}

func (spawn) close() {}
