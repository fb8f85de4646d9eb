// Finder is full-text search over recipes: an inverted index with BM25, built at start.
package main

import (
	"cmp"
	"container/heap"
	"encoding/json"
	"log/slog"
	"math"
	"net/http"
	_ "net/http/pprof"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/go-chi/chi/v5"

	"github.com/gocasebook/casebook/lab/holdout3/internal/drive"
)

type posting struct {
	doc   int32
	count int32
}

// Index has the postings of each word, by document.
type Index struct {
	titles   []string
	lengths  []int32
	mean     float64
	postings map[string][]posting
	scores   sync.Pool
}

func (x *Index) add(title string, words []string) {
	doc := int32(len(x.titles))
	x.titles, x.lengths = append(x.titles, title), append(x.lengths, int32(len(words)))
	counts := make(map[string]int32)
	for _, w := range words {
		counts[w]++
	}
	for w, n := range counts {
		x.postings[w] = append(x.postings[w], posting{doc, n})
	}
}

func (x *Index) finish() {
	var sum float64
	for _, n := range x.lengths {
		sum += float64(n)
	}
	x.mean = sum / float64(len(x.lengths))
	x.scores.New = func() any { s := make([]float64, len(x.titles)); return &s }
}

type Hit struct {
	Doc   int32   `json:"-"`
	Title string  `json:"title"`
	Score float64 `json:"score"`
}

// best is a heap of the best hits: the worst of them first.
type best []Hit

func (b best) Len() int           { return len(b) }
func (b best) Less(i, j int) bool { return b[i].Score < b[j].Score }
func (b best) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }
func (b *best) Push(h any)        { *b = append(*b, h.(Hit)) }
func (b *best) Pop() any          { h := (*b)[len(*b)-1]; *b = (*b)[:len(*b)-1]; return h }

// accumulate adds a word's BM25 to the scores.
func (x *Index) accumulate(scores []float64, list []posting) {
	const k1, b = 1.2, 0.75
	n, df := float64(len(x.titles)), float64(len(list))
	idf := math.Log(1 + (n-df+0.5)/(df+0.5))
	for _, p := range list {
		tf := float64(p.count)
		scores[p.doc] += idf * tf * (k1 + 1) / (tf + k1*(1-b+b*float64(x.lengths[p.doc])/x.mean))
	}
}

func (x *Index) Search(query string, limit int) []Hit {
	pooled := x.scores.Get().(*[]float64)
	defer x.scores.Put(pooled)
	scores := *pooled
	clear(scores)
	for w := range strings.FieldsSeq(strings.ToLower(query)) {
		x.accumulate(scores, x.postings[w])
	}
	top := make(best, 0, limit+1)
	for doc, s := range scores {
		switch {
		case s == 0:
		case len(top) < limit:
			heap.Push(&top, Hit{Doc: int32(doc), Score: s})
		case s > top[0].Score:
			top[0] = Hit{Doc: int32(doc), Score: s}
			heap.Fix(&top, 0)
		}
	}
	slices.SortFunc(top, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Doc, b.Doc))
	})
	for i := range top {
		top[i].Title = x.titles[top[i].Doc]
	}
	return top
}

var (
	things = strings.Fields("apple bean carrot date egg fennel garlic ham iceberg jam kale lemon mushroom noodle " +
		"onion pepper quince rice salmon tomato udon vanilla walnut yam zucchini basil chili dill ginger honey")
	ways = strings.Fields("baked boiled fried grilled raw roasted smoked steamed stewed toasted")
)

func build(n int) *Index {
	x := &Index{postings: make(map[string][]posting)}
	for i := range n {
		words := []string{ways[i%len(ways)], ways[i/7%len(ways)]}
		for k := range 12 + i%25 {
			words = append(words, things[(i*k+k*k+i/3)%len(things)])
		}
		x.add(words[0]+" "+words[2]+" with "+words[3], words)
	}
	x.finish()
	return x
}

func load(p drive.Ports) {
	drive.HTTP(700, func(i int) *http.Request {
		return drive.Get(p.Main(), "/search/%s+%s+%s", ways[i%10], things[i*7%30], things[i*11%30])
	})
}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	x := build(60000)
	r := chi.NewRouter()
	r.Get("/search/{words}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(x.Search(strings.ReplaceAll(chi.URLParam(r, "words"), "+", " "), 20))
	})
	r.Handle("/debug/pprof/*", http.DefaultServeMux)
	slog.Error("ended", "error", http.ListenAndServe(p.Main(), r))
	os.Exit(1)
}
