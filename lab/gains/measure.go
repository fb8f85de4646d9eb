package gains

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"time"
)

// A Cost is what one operation of a driver costs.
type Cost struct {
	CPU     float64 `json:"cpu_ns"` // of the whole process, by getrusage: the collector's included
	Bytes   float64 `json:"bytes"`  // allocated
	Objects float64 `json:"objects"`
}

// A Truth is what a fix brought.
type Truth struct {
	Before Cost      `json:"before"` // medians of the rounds
	After  Cost      `json:"after"`
	Saved  []float64 `json:"saved"` // of the CPU, a round each, sorted: 1 - after/before
}

// CPU is the share of the CPU that the fix saves: the median of the rounds.
func (t Truth) CPU() float64 { return median(t.Saved) }

// Garbage is the share of the allocated bytes that the fix saves.
func (t Truth) Garbage() float64 {
	if t.Before.Bytes == 0 {
		return 0
	}
	return 1 - t.After.Bytes/t.Before.Bytes
}

// An Effort is how long programs run.
type Effort struct {
	Rounds  int           // of both sides, in turns: what else the machine does falls on both
	Round   time.Duration // CPU time of the older side in each
	Profile time.Duration // CPU time while it is profiled
}

// Full is the effort for what is stored: on a machine that was shared the rounds of most pairs were 1 to 18
// points apart, and those of seven up to 39. A profile has 400 samples.
func Full() Effort { return Effort{Rounds: 5, Round: 400 * time.Millisecond, Profile: 4 * time.Second} }

// Measure runs both programs in turns, with the same number of operations.
func (e Effort) Measure(ctx context.Context, before, after string) (Truth, error) {
	first, err := run(ctx, before, "-cpu", e.Round.String())
	if err != nil {
		return Truth{}, err
	}
	ops := strconv.FormatInt(first.Ops, 10)
	var sides [2][]Cost
	t := Truth{}
	for n := range e.Rounds {
		for i, bin := range []string{before, after} {
			r, err := run(ctx, bin, "-ops", ops)
			if err != nil {
				return Truth{}, err
			}
			sides[i] = append(sides[i], r.each())
		}
		t.Saved = append(t.Saved, 1-sides[1][n].CPU/sides[0][n].CPU)
	}
	slices.Sort(t.Saved)
	t.Before, t.After = middle(sides[0]), middle(sides[1])
	return t, nil
}

// A result is what the harness prints.
type result struct {
	Ops     int64   `json:"ops"`
	CPU     float64 `json:"cpu_ns"`
	Bytes   float64 `json:"bytes"`
	Objects float64 `json:"objects"`
}

func (r result) each() Cost {
	n := float64(max(r.Ops, 1))
	return Cost{CPU: r.CPU / n, Bytes: r.Bytes / n, Objects: r.Objects / n}
}

func run(ctx context.Context, bin string, args ...string) (result, error) {
	out, err := exec.CommandContext(ctx, bin, args...).Output()
	var r result
	if err == nil {
		err = json.Unmarshal(out, &r)
	}
	if err != nil {
		return result{}, fmt.Errorf("running %s %v: %w", bin, args, err)
	}
	return r, nil
}

// middle is the median of each figure.
func middle(cs []Cost) Cost {
	of := func(get func(Cost) float64) float64 {
		var xs []float64
		for _, c := range cs {
			xs = append(xs, get(c))
		}
		return median(xs)
	}
	return Cost{CPU: of(func(c Cost) float64 { return c.CPU }), Bytes: of(func(c Cost) float64 { return c.Bytes }),
		Objects: of(func(c Cost) float64 { return c.Objects })}
}

// median is 0 of nothing.
func median(xs []float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	xs = slices.Sorted(slices.Values(xs))
	n := len(xs)
	return (xs[(n-1)/2] + xs[n/2]) / 2
}
