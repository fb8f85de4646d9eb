// Shelf answers where in a library a book stands. All books are in memory.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"math/rand/v2"
	"net/http"
	_ "net/http/pprof"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/gocasebook/casebook/lab/holdout4/internal/drive"
)

type Book struct {
	ISBN    string   `json:"isbn"`
	Title   string   `json:"title"`
	Authors []string `json:"authors"`
	Row     int      `json:"row"`
	Shelf   int      `json:"shelf"`
	Lent    bool     `json:"lent"`
}

type Library struct {
	books    map[string]*Book
	byAuthor map[string][]*Book
}

func (l *Library) add(b *Book) {
	l.books[b.ISBN] = b
	for _, a := range b.Authors {
		l.byAuthor[a] = append(l.byAuthor[a], b)
	}
}

func isbn(n int) string { return fmt.Sprintf("978-%09d", n) }

func author(n int) string { return fmt.Sprintf("Author %d", n) }

const titles = 300000

func library() *Library {
	l := &Library{books: make(map[string]*Book, titles), byAuthor: map[string][]*Book{}}
	for n := range titles {
		l.add(&Book{ISBN: isbn(n), Title: fmt.Sprintf("The %d. history of %s", n%300, strings.Repeat("sand ", 1+n%5)),
			Authors: []string{author(n % 20000), author(n % 7001)}, Row: n / 4000, Shelf: n / 80 % 50})
	}
	return l
}

func (l *Library) book(w http.ResponseWriter, r *http.Request) {
	b, ok := l.books[chi.URLParam(r, "isbn")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	answer(w, b)
}

func (l *Library) author(w http.ResponseWriter, r *http.Request) {
	answer(w, l.byAuthor["Author "+chi.URLParam(r, "n")])
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(v); err != nil {
		log.Print(err)
	}
}

func main() {
	p := drive.Flags()
	if p.Load {
		drive.HTTP(150, func(i int) *http.Request {
			if i%4 == 0 {
				return drive.Get(p.Main(), "/authors/%d", rand.IntN(20000))
			}
			return drive.Get(p.Main(), "/books/%s", isbn(rand.IntN(titles)))
		})
	}
	if err := limitMemory(); err != nil {
		log.Fatal(err)
	}
	l := library()
	r := chi.NewRouter()
	r.Get("/books/{isbn}", l.book)
	r.Get("/authors/{n}", l.author)
	r.Handle("/debug/pprof/*", http.DefaultServeMux)
	log.Fatal(http.ListenAndServe(p.Main(), r))
}
