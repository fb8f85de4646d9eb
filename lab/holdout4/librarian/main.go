// Librarian searches abstracts. Every quarter of a minute it builds the index anew, from what the editors have changed.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"math/rand/v2"
	"net/http"
	_ "net/http/pprof"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/gocasebook/casebook/lab/holdout4/internal/drive"
	"github.com/gocasebook/casebook/lab/holdout4/librarian/index"
)

type library struct {
	texts []string
	index atomic.Pointer[index.Index]
}

func (l *library) rebuild() {
	b := index.NewBuilder(vocabulary)
	for _, t := range l.texts {
		b.Add(t)
	}
	l.index.Store(b.Build())
}

func (l *library) keepFresh() {
	for range time.Tick(15 * time.Second) {
		l.rebuild()
	}
}

type result struct {
	Document uint32 `json:"document"`
	Start    string `json:"start"`
}

func (l *library) search(w http.ResponseWriter, r *http.Request) {
	words := strings.Fields(strings.ToLower(r.URL.Query().Get("q")))
	if len(words) == 0 || len(words) > 8 {
		http.Error(w, "one to eight words", http.StatusBadRequest)
		return
	}
	found := l.index.Load().Find(make([]uint32, 0, 20), 20, words...)
	out := make([]result, len(found))
	for i, d := range found {
		out[i] = result{d, l.texts[d][:40]}
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

const vocabulary = 20000

func word(rnd *rand.Rand) string {
	n := int(rnd.ExpFloat64() * 1200)
	return fmt.Sprintf("w%d", n%vocabulary)
}

func texts(n int) []string {
	rnd := rand.New(rand.NewPCG(2, 3))
	out := make([]string, n)
	for i := range out {
		var b strings.Builder
		for range 60 {
			b.WriteString(word(rnd))
			b.WriteByte(' ')
		}
		out[i] = b.String()
	}
	return out
}

func main() {
	p := drive.Flags()
	if p.Load {
		rnd := rand.New(rand.NewPCG(8, 8))
		queries := make([]string, 500)
		for i := range queries {
			queries[i] = word(rnd) + "+" + word(rnd)
		}
		drive.HTTP(700, func(i int) *http.Request {
			return drive.Get(p.Main(), "/search?q=%s", queries[i%len(queries)])
		})
	}
	l := &library{texts: texts(40000)}
	l.rebuild()
	go l.keepFresh()
	r := chi.NewRouter()
	r.Get("/search", l.search)
	r.Handle("/debug/pprof/*", http.DefaultServeMux)
	log.Fatal(http.ListenAndServe(p.Main(), r))
}
