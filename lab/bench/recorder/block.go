package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/stat"
)

// A load is what a process did under load.
type load struct {
	answers  int
	cpu      float64 // seconds
	recorded int     // turns at whose end the recorder ran
}

// perRequest is CPU in µs.
func (l load) perRequest() float64 { return 1e6 * l.cpu / float64(max(l.answers, 1)) }

// A block is the loads of one process for each mode.
type block [len(modes)]load

// added is what a mode costs a request, as a share of what it takes without a recorder.
func (b block) added(mode int) float64 { return b[mode].perRequest()/b[0].perRequest() - 1 }

func (b block) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "off %.1f µs a request", b[0].perRequest())
	for i, name := range modes[1:] {
		fmt.Fprintf(&s, "; %s %+.1f %%, recorded at the end of %d turns", name, 100*b.added(i+1), b[i+1].recorded)
	}
	return s.String()
}

// block measures three fresh processes.
func (b *bench) block(ctx context.Context, number int) (r block, err error) {
	var all [len(modes)]*service
	defer func() {
		for _, s := range all {
			if s != nil {
				s.stop()
			}
		}
	}()
	for i, mode := range modes {
		if all[i], err = startService(ctx, mode); err != nil {
			return r, err
		}
	}
	select {
	case <-time.After(b.calm):
	case <-ctx.Done():
		return r, ctx.Err()
	}
	for turn := range b.turns {
		for _, i := range sequence(number + turn) {
			l, err := all[i].turn(ctx, b.turn)
			if err != nil {
				return r, fmt.Errorf("%s: %w", modes[i], err)
			}
			r[i].answers, r[i].cpu, r[i].recorded = r[i].answers+l.answers, r[i].cpu+l.cpu, r[i].recorded+l.recorded
		}
	}
	return r, nil
}

// sequence is that of the modes in a turn: forth, then back, and another one first from time to time.
func sequence(turn int) (o [len(modes)]int) {
	for i := range o {
		at := i
		if turn%2 == 1 {
			at = len(o) - 1 - i
		}
		o[at] = (i + turn/2) % len(o)
	}
	return o
}

// table prints the sum of all blocks.
func (b *bench) table() {
	fmt.Println("\nCPU a request against off: median and 95 % interval over blocks, extremes")
	for i, name := range modes[1:] {
		var with, without []float64
		low, high := b.results[0].added(i+1), b.results[0].added(i+1)
		for _, r := range b.results {
			with, without = append(with, r[i+1].perRequest()/r[0].perRequest()), append(without, 1)
			low, high = min(low, r.added(i+1)), max(high, r.added(i+1))
		}
		fmt.Printf("  %-9s %s; %+.1f … %+.1f %%\n", name, interval(with, without), 100*low, 100*high)
	}
}

// interval says by how much the first values are above the second.
func interval(with, without []float64) string {
	centre, from, to := stat.Shift(without, with, 1)
	return fmt.Sprintf("%+.1f %% (%+.1f … %+.1f)", 100*centre, 100*from, 100*to)
}
