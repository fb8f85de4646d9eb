package tables

import "context"

const rangeTitle = "Range by value, by index, by pointer"

// rangeElements is how many elements are walked: 96 kB of the small ones, 2 MB of the large.
const rangeElements = 1000

// Elements of 96 B and 2 kB. A loop reads the first and the twelfth word of each, 88 bytes apart.
type (
	small [12]uint64
	large [256]uint64
)

type element interface{ small | large }

func rangeTable(ctx context.Context, p pace) (Table, error) {
	t := Table{
		Name:    "range",
		Title:   rangeTitle,
		Text:    "CPU time for one element in a loop over 1,000 that adds two of its words. A slice of pointers is walked by value of the pointer.",
		Columns: []string{"element", "value", "index", "&s[i]", "[]*T", "value/index"},
		Said:    "Folklore: ranging by value copies each element, so large elements should be walked by index or pointer.",
		Note: "The copy is real, and it is all of the cost of a large element: the compiler does not leave it out when only two fields are read. " +
			"The pointers were allocated one after the other; scattered over a large heap they would cost cache misses beside.",
	}
	for _, e := range []struct {
		name        string
		contestants []contestant
	}{
		{"96 B", rangeContestants[small]()},
		{"2 kB", rangeContestants[large]()},
	} {
		costs, err := p.measure(ctx, e.contestants)
		if err != nil {
			return Table{}, err
		}
		row := []string{e.name}
		cpu := make([]middle, len(costs))
		for i := range costs {
			cpu[i] = middleOf(costs[i], cpuOf).dividedBy(rangeElements)
			row = append(row, cpu[i].timed())
		}
		t.Rows = append(t.Rows, append(row, ratio(cpu[0], cpu[1])))
	}
	return t, nil
}

func rangeContestants[T element]() []contestant {
	s, pointers := make([]T, rangeElements), make([]*T, rangeElements)
	for i := range s {
		s[i][0], s[i][11] = uint64(i), uint64(3*i)
		e := s[i]
		pointers[i] = &e
	}
	loop := func(name string, sum func() uint64) contestant {
		return contestant{name, func(n int) (uint64, error) {
			var total uint64
			for range n {
				total += sum()
			}
			return total, nil
		}}
	}
	return []contestant{
		loop("value", func() uint64 { return sumByValue(s) }),
		loop("index", func() uint64 { return sumByIndex(s) }),
		loop("address", func() uint64 { return sumByAddress(s) }),
		loop("pointers", func() uint64 { return sumOfPointers(pointers) }),
	}
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

//go:noinline
func sumOfPointers[T element](s []*T) (sum uint64) {
	for _, e := range s {
		sum += (*e)[0] + (*e)[11]
	}
	return sum
}
