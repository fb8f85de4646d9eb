package sortslice

import (
	"cmp"
	"container/heap"
	"slices"
	"sort"
)

type hit struct {
	doc   string
	score float64
	at    int64
}

type byScore []hit

func (b byScore) Len() int           { return len(b) }
func (b byScore) Less(i, j int) bool { return b[i].score > b[j].score }
func (b byScore) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }

func top(hits []hit) []hit {
	sort.Slice(hits, func(i, j int) bool { return hits[i].score > hits[j].score }) // want `slices.SortFunc is made for the type`
	return hits[:10]
}

func stable(hits []hit) {
	sort.SliceStable(hits, func(i, j int) bool { // want `slices.SortStableFunc is made for the type`
		if hits[i].doc == hits[j].doc {
			return hits[i].at < hits[j].at
		}
		return hits[i].doc < hits[j].doc
	})
}

func byInterface(hits []hit) {
	sort.Sort(byScore(hits)) // want `slices.SortFunc is made for the type`
}

func stableByInterface(hits byScore) {
	sort.Stable(hits) // want `slices.SortFunc is made for the type`
}

func keys(m map[string]*hit) (out []*hit) {
	for _, h := range m {
		out = append(out, h)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].at < out[j].at }) // want `slices.SortFunc is made for the type`
	return out
}

// What follows is fine.

func generic(hits []hit) {
	slices.SortFunc(hits, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
}

func strings(names []string) { sort.Strings(names) }

type table struct {
	rows [][]string
	col  int
}

func (t *table) Len() int           { return len(t.rows) }
func (t *table) Less(i, j int) bool { return t.rows[i][t.col] < t.rows[j][t.col] }
func (t *table) Swap(i, j int)      { t.rows[i], t.rows[j] = t.rows[j], t.rows[i] }

func several(t *table) { sort.Sort(t) }

type queue struct{ byScore }

func (q *queue) Push(x any) { q.byScore = append(q.byScore, x.(hit)) }
func (q *queue) Pop() any   { return nil }

func priorities(q *queue) { heap.Init(q) }

func reversed(hits byScore) { sort.Sort(sort.Reverse(hits)) }

var names = []string{"b", "a"}

func init() { sort.Slice(names, func(i, j int) bool { return names[i] < names[j] }) }
