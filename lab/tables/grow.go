package tables

import "context"

const growTitle = "make with a size"

func growTable(ctx context.Context, p pace) (Table, error) {
	rows, err := p.matchups(ctx, []matchup{
		growSlice("10 numbers", 10), growSlice("1,000 numbers", 1000), growSlice("100,000 numbers", 100_000),
		growMap("10 keys", 10), growMap("1,000 keys", 1000),
	})
	return Table{
		Name:  "make",
		Title: growTitle,
		Text: "CPU time to fill a slice by append and a map by its keys: with no room made beforehand, with room for " +
			"all, and with room for ten times as many as come. Of all elements together.",
		Columns: matchupColumns("filled with"), Rows: rows,
		Said:  "The article has it among the advice without proof.",
		Holds: growHolds,
	}, err
}

func growSlice(subject string, n int) matchup {
	fill := func(room int) func(int) uint64 {
		return func(int) uint64 { return uint64(len(filled(make([]uint64, 0, room), n))) }
	}
	return matchup{subject: subject, forms: []contestant{
		repeat("append only", fill(0)), repeat("room for all", fill(n)), repeat("room for 10×", fill(10*n)),
	}}
}

//go:noinline
func filled(s []uint64, n int) []uint64 {
	for i := range n {
		s = append(s, uint64(i))
	}
	return s
}

func growMap(subject string, n int) matchup {
	fill := func(room int) func(int) uint64 {
		return func(int) uint64 { return uint64(len(filledMap(make(map[int]int, room), n))) }
	}
	return matchup{subject: subject, forms: []contestant{
		repeat("no size", fill(0)), repeat("room for all", fill(n)), repeat("room for 10×", fill(10*n)),
	}}
}

//go:noinline
func filledMap(m map[int]int, n int) map[int]int {
	for i := range n {
		m[i] = i
	}
	return m
}
