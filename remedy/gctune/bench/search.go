package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
)

// A contest is one variant beside ours under a load, again and again. Both run at the same moment, each in a cgroup of
// its own, so that other work on the machine affects both.
type contest struct {
	variant
	setting        // in the search
	finalist  bool // of it
	its, ours []outcome
}

// fight is one round.
func (c *contest) fight(ctx context.Context, p plan, l load) error {
	its, own, err := sideBySide(ctx, p, l, c.variant, ours)
	if err != nil {
		return err
	}
	if own.Failed != nil {
		return fmt.Errorf("%s failed: %w (killed by the OOM killer: %d)", ours.name, own.Failed, own.Kills)
	}
	c.its, c.ours = append(c.its, its), append(c.ours, own)
	return nil
}

// sideBySide runs two variants at the same moment.
func sideBySide(ctx context.Context, p plan, l load, a, b variant) (ofA, ofB outcome, err error) {
	var wg sync.WaitGroup
	var errA, errB error
	wg.Go(func() { ofA, errA = runOnce(ctx, p, l, a, 0) })
	wg.Go(func() { ofB, errB = runOnce(ctx, p, l, b, 1) })
	wg.Wait()
	if errA != nil {
		return ofA, ofB, fmt.Errorf("%s: %w", a.name, errA)
	}
	if errB != nil {
		return ofA, ofB, fmt.Errorf("%s: %w", b.name, errB)
	}
	return ofA, ofB, nil
}

// ratios are ours' CPU for a request over its, of each round in which both ended.
func (c *contest) ratios() []float64 {
	var r []float64
	for i, o := range c.its {
		if o.Failed == nil && o.CPU > 0 {
			r = append(r, c.ours[i].perRequest()/o.perRequest())
		}
	}
	return r
}

// perRequest is CPU seconds; requests that a service refused because it fell behind do not count.
func (o outcome) perRequest() float64 { return o.CPU / float64(max(o.Requests, 1)) }

// holds says whether the variant never was above the target.
func (c *contest) holds() bool {
	return !slices.ContainsFunc(c.its, func(o outcome) bool { return o.Failed != nil || o.Peak > target })
}

// search finds the fixed settings that take the least CPU of those that stay below the target.
func search(ctx context.Context, p plan, l load) ([]*contest, error) {
	var all []*contest
	try := func(f setting) error {
		c := &contest{variant: fixed(f.gogc, int64(f.share*target)>>20), setting: f}
		all = append(all, c)
		return c.fight(ctx, p, l)
	}
	for _, f := range p.grid {
		if err := try(f); err != nil {
			return nil, err
		}
	}
	if p.refine {
		if err := try(setting{off, between(all)}); err != nil {
			return nil, err
		}
	}
	best := slices.DeleteFunc(slices.Clone(all), func(c *contest) bool { return !c.holds() })
	slices.SortFunc(best, func(a, b *contest) int { // the higher ours stands beside it, the less it takes
		return int(1e6 * (median(b.ratios()) - median(a.ratios())))
	})
	for _, c := range best[:min(len(best), p.finalists)] {
		c.finalist, c.its, c.ours = true, nil, nil // it was chosen for what it did, and partly by luck
		for range p.rounds {
			if err := c.fight(ctx, p, l); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// between is the share of the target half way from the highest GOMEMLIMIT that holds, with GOGC=off, to the lowest that
// does not.
func between(all []*contest) float64 {
	held, not := 0.6, 1.12 // beyond the grid
	for _, c := range all {
		if c.gogc == off && c.holds() {
			held = max(held, c.share)
		}
	}
	for _, c := range all {
		if c.gogc == off && !c.holds() && c.share > held {
			not = min(not, c.share)
		}
	}
	return (held + not) / 2
}

// runLoad measures everything under one load and prints it.
func runLoad(ctx context.Context, p plan, l load, out io.Writer) error {
	var peers []*contest
	for _, v := range p.peers {
		c := &contest{variant: v}
		if err := c.fight(ctx, p, l); err != nil {
			return err
		}
		peers = append(peers, c)
	}
	settings, err := search(ctx, p, l)
	if err != nil {
		return err
	}
	print(out, p, l, peers, settings)
	return nil
}
