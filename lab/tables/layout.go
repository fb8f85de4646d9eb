package tables

import (
	"context"
	"sync"
	"sync/atomic"
)

const layoutTitle = "Structs without holes, small integers, counters apart"

// layoutElements is how many elements a walk reads: more than the caches hold of the larger ones.
const layoutElements = 1_000_000

func layoutTable(ctx context.Context, p pace) (Table, error) {
	elements := layoutElements
	if p.quick {
		elements = 1000
	}
	rows, err := p.matchups(ctx, []matchup{holes(elements), integers(elements), neighbours()})
	return Table{
		Name:  "layout",
		Title: layoutTitle,
		Text: "CPU time for one of a million structs whose fields are added: a bool, an int64, a bool, an int32, a " +
			"bool and an int64 in that order, 40 B, or the largest first, 24 B; for one of a million counts, as " +
			"int64 and as int8; and for one change of a counter when two goroutines each change their own, side by " +
			"side or 128 bytes apart.",
		Columns: matchupColumns("walked"), Rows: rows,
		Said:  "The articles name struct layout, small integers and locality, without figures.",
		Holds: layoutHolds,
	}, err
}

type (
	mixed struct {
		a bool
		b int64
		c bool
		d int32
		e bool
		f int64
	}
	ordered struct {
		b, f    int64
		d       int32
		a, c, e bool
	}
)

func holes(n int) matchup {
	m, o := make([]mixed, n), make([]ordered, n)
	for i := range n {
		m[i] = mixed{a: true, b: int64(i), c: true, d: int32(i), e: true, f: 1}
		o[i] = ordered{a: true, b: int64(i), c: true, d: int32(i), e: true, f: 1}
	}
	return matchup{subject: "structs", per: n, forms: []contestant{
		repeat("mixed, 40 B", func(int) (sum uint64) {
			for i := range m {
				sum += uint64(m[i].b) + uint64(m[i].d) + uint64(m[i].f)
			}
			return sum
		}),
		repeat("largest first, 24 B", func(int) (sum uint64) {
			for i := range o {
				sum += uint64(o[i].b) + uint64(o[i].d) + uint64(o[i].f)
			}
			return sum
		}),
	}}
}

func integers(n int) matchup {
	wide, narrow := make([]int64, n), make([]int8, n)
	for i := range n {
		wide[i], narrow[i] = int64(i%100), int8(i%100)
	}
	return matchup{subject: "counts", per: n, forms: []contestant{
		repeat("int64", func(int) uint64 { return sumOf(wide) }),
		repeat("int8", func(int) uint64 { return sumOf(narrow) }),
	}}
}

//go:noinline
func sumOf[T int64 | int8](s []T) (sum uint64) {
	for _, v := range s {
		sum += uint64(v)
	}
	return sum
}

// neighbours are two counters in one line of the caches, and two that are further apart than lines are long.
func neighbours() matchup {
	var near struct{ a, b atomic.Uint64 }
	var far struct {
		a atomic.Uint64
		_ [120]byte
		b atomic.Uint64
	}
	both := func(a, b *atomic.Uint64) func(int) (uint64, error) {
		return func(n int) (uint64, error) {
			a.Store(0)
			b.Store(0)
			var wg sync.WaitGroup
			for _, c := range []*atomic.Uint64{a, b} {
				wg.Go(func() {
					for range n {
						c.Add(1)
					}
				})
			}
			wg.Wait()
			return a.Load() + b.Load(), nil
		}
	}
	return matchup{subject: "two counters", per: 2, forms: []contestant{
		{"side by side", both(&near.a, &near.b)}, {"128 B apart", both(&far.a, &far.b)},
	}}
}
