package tables

import (
	"context"
	"sync"

	"github.com/gocasebook/casebook/internal/number"
)

const poolTitle = "sync.Pool against make, by size"

func poolTable(ctx context.Context, p pace) (Table, error) {
	t := Table{
		Name:  "pool",
		Title: poolTitle,
		Text: "CPU time to get a buffer, write a message of 64 bytes (or what it has room for) into it, and give it " +
			"back or drop it; " +
			"garbage collection included. Memory and cycles of the collector are those of a million buffers.",
		Columns: []string{"buffer", "form", "CPU", "memory", "cycles", "make/pool"},
		Said: "Folklore: pool what is large and short-lived; for small objects a pool costs more than it saves. The " +
			"article, with a goroutine for each object: 96 B 295 ns made and 274 ns pooled, 6 GB and 0.2 GB, 1,881 " +
			"and 67 cycles; 2 kB 661 and 290 ns, 27 and 0.2 GB, 8,723 and 71 cycles.",
		Note: "A pool has one price at every size. make's price is that of zeroing and of the collections it brings, " +
			"so it grows with the size. The live heap here is a few MB, so that cycles are frequent and cheap; with " +
			"a large live heap they are rarer and expensive.",
	}
	var gains []string
	for _, bytes := range []int{32, 96, 160, 288, 544, 1056, 2080, 16 << 10, 64 << 10} {
		forms := poolContestants(bytes)
		costs, err := p.measure(ctx, forms)
		if err != nil {
			return Table{}, err
		}
		made, pooled := middleOf(costs[0], cpuOf), middleOf(costs[1], cpuOf)
		if made.median >= near*pooled.median {
			gains = append(gains, number.Bytes(float64(bytes)))
		}
		for i, f := range forms {
			cpu := middleOf(costs[i], cpuOf)
			t.Rows = append(t.Rows, []string{number.Bytes(float64(bytes)), f.name, cpu.timed(),
				number.Bytes(1e6 * middleOf(costs[i], func(c cost) float64 { return c.bytes }).median),
				amount(1e6 * middleOf(costs[i], func(c cost) float64 { return c.collections }).median), ratio(made,
					cpu)})
		}
	}
	t.Holds = poolHolds(gains)
	return t, nil
}

// poolHolds says from which size on a pool gained, of those for which it did, in their order.
func poolHolds(gains []string) string {
	if len(gains) == 0 {
		return "No longer true: making is as fast at every size."
	}
	return "Still true, and of smaller objects, too: in one goroutine, without another started for each object, a " +
		"pool gains from " + gains[0] + " on."
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
