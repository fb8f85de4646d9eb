// Package cpu_sort shows the best scores of a game.
//
// The fault: all scores are sorted for every request, for the first ten.
package cpu_sort

import (
	"cmp"
	"io"
	"net/http"
	"slices"
	"sort"
	"strconv"
	"sync"

	"github.com/gocasebook/casebook/lab/faults"
)

// A Board holds the scores of players.
type Board struct {
	scores []score
	best   func(b *Board) []score

	mu     sync.Mutex
	sorted []score // the scores in order, for the board that keeps them so
	buffer []score
}

type score struct {
	player string
	points int
}

func newBoard(n int, best func(*Board) []score) *Board {
	b := &Board{best: best, buffer: make([]score, n)}
	for i := range n {
		b.scores = append(b.scores, score{"player " + strconv.Itoa(i), i * 7919 % 100_003})
	}
	b.sorted = slices.Clone(b.scores)
	slices.SortFunc(b.sorted, func(x, y score) int { return cmp.Compare(y.points, x.points) })
	return b
}

// ServeHTTP answers with the ten best.
func (b *Board) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range b.best(b)[:10] {
		io.WriteString(w, s.player)
		io.WriteString(w, "\n")
	}
}

func (b *Board) ranking() []score {
	copy(b.buffer, b.scores)
	sort.Slice(b.buffer, func(i, j int) bool { return b.buffer[i].points > b.buffer[j].points })
	return b.buffer
}

func (b *Board) kept() []score { return b.sorted }

func service(n int, best func(*Board) []score, perSecond float64) faults.Service {
	return faults.Service{Handler: newBoard(n, best), Load: []faults.Call{{Path: "/best", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "cpu-sort", Text: "all scores are sorted for the first ten",
		Culprit:  "cpu_sort.(*Board).ranking",
		Faulty:   func() faults.Service { return service(4000, (*Board).ranking, 400) },
		Repaired: func() faults.Service { return service(4000, (*Board).kept, 400) },
		Limit:    func() faults.Service { return service(550, (*Board).ranking, 800) },
	}
}
