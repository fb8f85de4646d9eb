package tables

import (
	"context"
	"sync"
)

const poolTitle = "sync.Pool against make, by size"

func poolTable(ctx context.Context, p pace) (Table, error) {
	t := Table{
		Name:    "pool",
		Title:   poolTitle,
		Text:    "CPU time to get a buffer, write a message of 64 bytes into it, and give it back or drop it; garbage collection included. The last column: cycles of the collector per million buffers that were made.",
		Columns: []string{"buffer", "make", "sync.Pool", "make/pool", "cycles/M"},
		Said:    "Folklore: pool what is large and short-lived; for small objects a pool costs more than it saves.",
		Note: "A pool has one price at every size. make's price is that of zeroing and of the collections it brings, so it grows with the size. " +
			"The live heap here is a few MB, so that cycles are frequent and cheap; with a large live heap they are rarer and dear.",
	}
	for _, bytes := range []int{64, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10} {
		costs, err := p.measure(ctx, poolContestants(bytes))
		if err != nil {
			return Table{}, err
		}
		made, pooled := middleOf(costs[0], cpuOf), middleOf(costs[1], cpuOf)
		cycles := middleOf(costs[0], func(c cost) float64 { return c.collections })
		t.Rows = append(t.Rows, []string{size(float64(bytes)), made.timed(), pooled.timed(), ratio(made, pooled),
			digits(1e6 * cycles.median)})
	}
	return t, nil
}

func poolContestants(bytes int) []contestant {
	pool := sync.Pool{New: func() any { b := make([]byte, bytes); return &b }}
	return []contestant{
		{"make", func(n int) (sum uint64, _ error) {
			for i := range n {
				sum += write(make([]byte, bytes), i)
			}
			return sum, nil
		}},
		{"sync.Pool", func(n int) (sum uint64, _ error) {
			for i := range n {
				b := pool.Get().(*[]byte)
				sum += write(*b, i)
				pool.Put(b)
			}
			return sum, nil
		}},
	}
}

// message is what is written into each buffer.
const message = "a message of 64 bytes, as many a small answer of a service is..."

// write uses a buffer as an encoder of small messages does.
func write(b []byte, i int) uint64 {
	b[0] = byte(i)
	n := 1 + copy(b[1:], message[1:])
	return uint64(b[0]) + uint64(b[n-1]) + uint64(n)
}
