package tables

import (
	"context"
	"sync"
)

const mapPoolTitle = "Maps from a pool"

// mapRoom is the size that each map is made for, as in the article.
const mapRoom = 2000

func mapPoolTable(ctx context.Context, p pace) (Table, error) {
	rows, err := p.matchups(ctx, []matchup{mapUse("20 entries", 20), mapUse("2,000 entries", mapRoom)})
	return Table{
		Name:  "maps",
		Title: mapPoolTitle,
		Text: "CPU time to get a map[int]int with room for 2,000, put 20 or 2,000 entries into it, read them, and " +
			"drop it or empty it and give it back; and of a map with room for just as many as come.",
		Columns: matchupColumns("used"), Rows: rows,
		Said:  "The article, with room for 2,000: without the pool it was faster, and the maps stayed as they were.",
		Holds: mapPoolHolds,
	}, err
}

func mapUse(subject string, n int) matchup {
	pool := sync.Pool{New: func() any { return make(map[int]int, mapRoom) }}
	return matchup{subject: subject, forms: []contestant{
		repeat("make for 2,000", func(int) uint64 { return useMap(make(map[int]int, mapRoom), n) }),
		repeat("pool and clear", func(int) uint64 {
			m := pool.Get().(map[int]int)
			sum := useMap(m, n)
			clear(m)
			pool.Put(m)
			return sum
		}),
		repeat("pool and delete", func(int) uint64 {
			m := pool.Get().(map[int]int)
			sum := useMap(m, n)
			for i := range n {
				delete(m, i)
			}
			pool.Put(m)
			return sum
		}),
		repeat("make for those used", func(int) uint64 { return useMap(make(map[int]int, n), n) }),
	}}
}

//go:noinline
func useMap(m map[int]int, n int) (sum uint64) {
	for i := range n {
		m[i] = i
	}
	for i := range n {
		sum += uint64(m[i])
	}
	return sum
}
