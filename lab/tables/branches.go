package tables

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
)

const branchesTitle = "Branches that the processor can foresee: sorted and unsorted numbers"

func branchesTable(ctx context.Context, p pace) (Table, error) {
	values, places := branchValues, walkLong
	if p.quick {
		values, places = 1000, 1000
	}
	rs, err := p.compare(ctx, []matchup{conditionalSum(values), split(values), walkOrder(places)})
	return Table{
		Name:  "branches",
		Title: branchesTitle,
		Text: "CPU time for one of 32,768 numbers in the order of chance, and sorted: the sum of those above the " +
			"middle; and each put into one of two lists by an if, or without one. And for one of 8 million numbers " +
			"that are read in their order in memory, or in the order of chance.",
		Columns: matchupColumns("numbers"), Rows: rs.rows(),
		Said: "The article names branch prediction and access to memory without figures; the well-known example " +
			"takes six times as long with unsorted numbers (C++).",
		Holds: branchesHold(rs),
		Note: "The compiler makes a sum under an if without a branch, so that the order does not matter there. Where " +
			"it cannot, the processor foresees a branch that goes one way for long, and half of those that go by " +
			"chance.",
	}, err
}

const (
	branchValues = 32_768
	walkLong     = 8 << 20 // numbers: 64 MiB, more than the caches hold
	walkSome     = 1000    // of them at a time

	branchSum, branchSplit, branchWalk = "sum above the middle", "split by an if", "read"
	byChance, inOrder, noBranch        = "by chance", "in order", "no branch"
)

// branchesHold says what order gains by today's figures.
func branchesHold(rs results) string {
	sum, split := rs.of(branchSum, inOrder), rs.of(branchSplit, inOrder)
	gains := 0
	for _, r := range []result{sum, split} {
		if r.faster() {
			gains++
		}
	}
	return fmt.Sprintf("%s: sorted, the sum is %s and the split %s; written without a branch and unsorted the split "+
		"is %s. Memory read in its order is %s.", holding(gains, 2), sum.compared(), split.compared(),
		rs.of(branchSplit, noBranch).compared(), rs.of(branchWalk, inOrder).compared())
}

// numbers are from 0 to 255, by chance and sorted.
func numbers(n int) (chance, sorted []uint32) {
	random := rand.New(rand.NewPCG(1, 2))
	chance = make([]uint32, n)
	for i := range chance {
		chance[i] = random.Uint32N(256)
	}
	return chance, slices.Sorted(slices.Values(chance))
}

func conditionalSum(n int) matchup {
	chance, sorted := numbers(n)
	return matchup{subject: branchSum, per: n, forms: []contestant{
		repeat(byChance, func(int) uint64 { return sumAbove(chance) }),
		repeat(inOrder, func(int) uint64 { return sumAbove(sorted) }),
	}}
}

//go:noinline
func sumAbove(vs []uint32) (sum uint64) {
	for _, v := range vs {
		if v >= 128 {
			sum += uint64(v)
		}
	}
	return sum
}

func split(n int) matchup {
	chance, sorted := numbers(n)
	low, high := make([]uint32, n), make([]uint32, n)
	return matchup{subject: branchSplit, per: n, forms: []contestant{
		repeat(byChance, func(int) uint64 { return splitByIf(chance, low, high) }),
		repeat(inOrder, func(int) uint64 { return splitByIf(sorted, low, high) }),
		repeat(noBranch, func(int) uint64 { return splitByBit(chance, low, high) }),
	}}
}

// splitByIf returns how many numbers are below the middle.
//
//go:noinline
func splitByIf(vs, low, high []uint32) uint64 {
	l, h := 0, 0
	for _, v := range vs {
		if v < 128 {
			low[l] = v
			l++
		} else {
			high[h] = v
			h++
		}
	}
	return uint64(l)
}

// splitByBit writes each number to both lists, and goes on in the one where it belongs.
//
//go:noinline
func splitByBit(vs, low, high []uint32) uint64 {
	l, h := 0, 0
	for _, v := range vs {
		low[l], high[h] = v, v
		above := int(v >> 7)
		l, h = l+1-above, h+above
	}
	return uint64(l)
}

// walkOrder reads some of the numbers each time, by places that are in order or not.
func walkOrder(n int) matchup {
	vs, ordered := make([]uint64, n), make([]uint32, n)
	for i := range vs {
		vs[i], ordered[i] = 1, uint32(i) // all alike, for the two read others in a turn
	}
	shuffled := slices.Clone(ordered)
	rand.New(rand.NewPCG(3, 4)).Shuffle(n, func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	some := func(places []uint32) func(i int) uint64 {
		return func(i int) uint64 { return sumAt(vs, places[i%(n/walkSome)*walkSome:][:walkSome]) }
	}
	return matchup{subject: branchWalk, per: walkSome, forms: []contestant{
		repeat(byChance, some(shuffled)), repeat(inOrder, some(ordered)),
	}}
}

//go:noinline
func sumAt(vs []uint64, places []uint32) (sum uint64) {
	for _, at := range places {
		sum += vs[at]
	}
	return sum
}
