// Package cpu_map_hash counts the words that visitors look for.
//
// The fault: each count is looked up four times, by a key of two strings.
package cpu_map_hash

import (
	"io"
	"net/http"
	"strconv"
	"sync"

	"github.com/gocasebook/casebook/lab/faults"
)

// Trends counts words by region.
type Trends struct {
	mu     sync.Mutex
	counts map[key]int
	best   map[key]int
	flat   []int // counts by number of the key, where the keys have one
	add    func(t *Trends, i int)
	batch  int
	keys   []key
}

type key struct{ region, word string }

func newTrends(n, batch int, add func(*Trends, int)) *Trends {
	t := &Trends{counts: map[key]int{}, best: map[key]int{}, flat: make([]int, n), add: add, batch: batch}
	for i := range n {
		k := key{"region-of-the-" + strconv.Itoa(i%16) + "th-district", "word " + strconv.Itoa(i)}
		t.keys = append(t.keys, k)
		t.counts[k], t.best[k] = 0, 0
	}
	return t
}

// ServeHTTP counts the words of a batch and answers with the count of the first.
func (t *Trends) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	from, _ := strconv.Atoi(r.URL.Query().Get("from"))
	t.mu.Lock()
	for i := range t.batch {
		t.add(t, (from*7919+i*613)%len(t.keys))
	}
	first := from * 7919 % len(t.keys)
	n := t.flat[first] + t.counts[t.keys[first]] // one of the two counts
	t.mu.Unlock()
	io.WriteString(w, strconv.Itoa(n))
}

func (t *Trends) count(i int) {
	k := t.keys[i]
	if _, ok := t.counts[k]; ok {
		t.counts[k] = t.counts[k] + 1
	}
	if t.counts[k] > t.best[k] {
		t.best[k] = t.counts[k]
	}
}

func (t *Trends) countFlat(i int) { t.flat[i]++ }

func service(batch int, add func(*Trends, int), perSecond float64) faults.Service {
	return faults.Service{Handler: newTrends(20_000, batch, add),
		Load: []faults.Call{{Path: "/count?from=%d", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "cpu-map-hash", Text: "counts are looked up several times by keys of two strings",
		Culprit:  "cpu_map_hash.(*Trends).count",
		Faulty:   func() faults.Service { return service(1200, (*Trends).count, 1000) },
		Repaired: func() faults.Service { return service(1200, (*Trends).countFlat, 1000) },
		Limit:    func() faults.Service { return service(70, (*Trends).count, 1000) },
	}
}
