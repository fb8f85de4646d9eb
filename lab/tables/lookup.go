package tables

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
)

const lookupTitle = "Looking up a number: a map, a sorted slice, a scan"

// lookupTable searches a set of numbers for some that it has and as many that it lacks.
func lookupTable(ctx context.Context, p pace) (Table, error) {
	t := Table{
		Name:  "lookup",
		Title: lookupTitle,
		Text: "CPU time to look up one of 1,024 numbers of 64 bits, half of them in the set, in the order of chance. " +
			"What is looked up differs each time, so that branches are not learnt.",
		Columns: []string{"numbers in the set", "map", "sorted slice", "scan", "map/sorted"},
		Said:    "The articles: a sorted slice instead of a map where there are few keys; a map instead of a scan.",
		Note: "A set with struct{} values as values; slices.BinarySearch; a loop with ==. A sorted slice has no " +
			"pointers and half of the memory, which counts where there are many small sets.",
	}
	var ls []lookedUp
	for _, n := range []int{8, 32, 128, 1024, 65_536} {
		costs, err := p.measure(ctx, lookupContestants(n))
		if err != nil {
			return Table{}, err
		}
		m, sorted := middleOf(costs[0], cpuOf), middleOf(costs[1], cpuOf)
		l, scan := lookedUp{n: n, in: m.median, sorted: sorted.median}, "–"
		if len(costs) > 2 {
			l.scan, scan = middleOf(costs[2], cpuOf).median, middleOf(costs[2], cpuOf).timed()
		}
		ls = append(ls, l)
		t.Rows = append(t.Rows, []string{amount(float64(n)), m.timed(), sorted.timed(), scan, ratio(m, sorted)})
	}
	t.Holds = lookupHolds(ls)
	return t, nil
}

// A lookedUp is what one look-up took, in ns, in a set of n numbers: in a map, in a sorted slice, by a scan (0: not
// measured).
type lookedUp struct {
	n                int
	in, sorted, scan float64
}

// lookupHolds says which form is the best for few numbers and for many.
func lookupHolds(ls []lookedUp) string {
	var sorted, maps, scans []string
	wins := 0
	for _, l := range ls {
		if l.in >= near*l.sorted {
			wins++
		}
		n := amount(float64(l.n))
		sorted = append(sorted, timesAs(l.in, l.sorted)+" with "+n)
		if l.scan > 0 {
			maps, scans = append(maps, n), append(scans, timesAs(l.in, l.scan))
		}
	}
	return fmt.Sprintf("%s of a sorted slice: beside the map it is %s. A scan of %s numbers is %s.",
		holding(wins, len(ls)), listed(sorted), listed(maps), listed(scans))
}

// mostScanned is the largest set that is scanned: beyond it a look-up takes longer than a turn should.
const mostScanned = 1024

func lookupContestants(n int) []contestant {
	random := rand.New(rand.NewPCG(1, uint64(n)))
	sorted, asked := make([]uint64, n), make([]uint64, 1024)
	for i := range sorted {
		sorted[i] = random.Uint64()
	}
	for i := range asked {
		asked[i] = random.Uint64()
		if i%2 == 0 {
			asked[i] = sorted[random.IntN(n)]
		}
	}
	set := make(map[uint64]struct{}, n)
	for _, v := range sorted {
		set[v] = struct{}{}
	}
	shuffled := slices.Clone(sorted)
	slices.Sort(sorted)
	all := []contestant{
		{"map", looksUp(asked, func(v uint64) bool { _, ok := set[v]; return ok })},
		{"sorted slice", looksUp(asked, func(v uint64) bool { _, ok := slices.BinarySearch(sorted, v); return ok })},
		{"scan", looksUp(asked, func(v uint64) bool {
			for _, have := range shuffled {
				if have == v {
					return true
				}
			}
			return false
		})},
	}
	if n > mostScanned {
		return all[:2]
	}
	return all
}

// looksUp asks n times, and counts what was there.
func looksUp(asked []uint64, has func(uint64) bool) func(n int) (uint64, error) {
	return func(n int) (found uint64, _ error) {
		for i := range n {
			if has(asked[i%len(asked)]) {
				found++
			}
		}
		return found, nil
	}
}
