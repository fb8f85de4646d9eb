package ads

import "context"

// A job is the search for a request's candidates: a function that goes through a part of the ads.
type job struct {
	ads    []ad
	search func(part []ad) []candidate
}

// A searcher runs jobs. Its results are the candidates of each part, in the order of the ads.
type searcher interface {
	run(ctx context.Context, j job) ([][]candidate, error)
	// close waits for what runs in the background. No job may follow.
	close()
}

// newSearcher makes the searcher that the flag -fanout names.
func newSearcher(c *Config, workers int) searcher {
	if c.Fanout == fanoutGoroutines {
		return spawn{c.Part}
	}
	return startPool(workers)
}

// parts splits ads into n parts of about the same length, fewer when there are not as many ads.
func parts(ads []ad, n int) [][]ad {
	n = max(min(n, len(ads)), 1)
	out := make([][]ad, n)
	for i := range out {
		out[i] = ads[i*len(ads)/n : (i+1)*len(ads)/n]
	}
	return out
}
