package tables

import "context"

const rangeTitle = "Range over a slice: by value, by index, by pointer"

// rangeWindow is how many elements an operation walks: 96 kB of the small ones, 2 MB of the large. A longer slice is
// walked window by window.
const rangeWindow = 1000

// Elements of 96 B and 2 kB. A loop reads the first and the twelfth word of each, 88 bytes apart.
type (
	small [12]uint64
	large [256]uint64
)

type element interface{ small | large }

func rangeTable(ctx context.Context, p pace) (Table, error) {
	t := Table{
		Name:  "range",
		Title: rangeTitle,
		Text: "CPU time for one element in a loop that adds two of its words: `for _, e := range s`, `s[i]`, and " +
			"`e := &s[i]`.",
		Columns: []string{"element", "elements", "value", "index", "pointer", "ratio"},
		Said: "The article, on Go 1.17, 1,000 to 1,000,000 elements: by index 2.3, 2.4, 2.3 and 1.3 times as fast " +
			"with 96 B, 34, 68, 62 and 12 times with 2 kB.",
		Note: "The ratio is that of value and index. From 100,000 small or 10,000 large elements on the slice is " +
			"larger than the caches, and all forms wait for memory. The million of large ones takes 2 GB.",
		Holds: rangeHolds,
	}
	lengths := []int{1000, 10_000, 100_000, 1_000_000}
	if p.quick {
		lengths = lengths[:1]
	}
	for _, name := range []string{"96 B", "2 kB"} {
		for _, n := range lengths {
			row, err := p.rangeRow(ctx, name, n)
			if err != nil {
				return Table{}, err
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t, nil
}

// rangeRow measures one slice, which is garbage afterwards.
func (p pace) rangeRow(ctx context.Context, name string, n int) ([]string, error) {
	contestants := rangeContestants[small]
	if name == "2 kB" {
		contestants = rangeContestants[large]
	}
	costs, err := p.measure(ctx, contestants(n))
	if err != nil {
		return nil, err
	}
	row, cpu := []string{name, count(n)}, make([]middle, len(costs))
	for i := range costs {
		cpu[i] = middleOf(costs[i], cpuOf).dividedBy(rangeWindow)
		row = append(row, cpu[i].timed())
	}
	return append(row, ratio(cpu[0], cpu[1])), nil
}

func rangeContestants[T element](n int) []contestant {
	s := fillArray(make([]T, n))
	loop := func(name string, sum func([]T) uint64) contestant {
		return repeat(name, func(i int) uint64 {
			at := i * rangeWindow % n
			return sum(s[at : at+rangeWindow])
		})
	}
	return []contestant{loop("value", sumByValue[T]), loop("index", sumByIndex[T]), loop("pointer", sumByAddress[T])}
}

//go:noinline
func sumByValue[T element](s []T) (sum uint64) {
	for _, e := range s {
		sum += e[0] + e[11]
	}
	return sum
}

//go:noinline
func sumByIndex[T element](s []T) (sum uint64) {
	for i := range s {
		sum += s[i][0] + s[i][11]
	}
	return sum
}

//go:noinline
func sumByAddress[T element](s []T) (sum uint64) {
	for i := range s {
		e := &s[i]
		sum += (*e)[0] + (*e)[11]
	}
	return sum
}
