// Press makes books of chapters and chapters of pages, on a pool of workers.
package main

import (
	"flag"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/alitto/pond"

	"github.com/gocasebook/casebook/lab/unseen/third/form"
	"github.com/gocasebook/casebook/lab/unseen/third/web"
)

const (
	chapters = 3
	pages    = 4
)

type press struct {
	jobs  *pond.WorkerPool
	pages *pond.WorkerPool
}

// page sets a page: some text, and a wait for the store of pictures.
func (p *press) page(book string, chapter, n int) string {
	var b strings.Builder
	for line := range 40 {
		fmt.Fprintf(&b, "%s %d.%d line %d\n", book, chapter, n, line)
	}
	time.Sleep(20 * time.Millisecond)
	return b.String()
}

func (p *press) chapter(book string, chapter int) string {
	set := make([]string, pages)
	group := p.pages.Group()
	for n := range set {
		group.Submit(func() { set[n] = p.page(book, chapter, n) })
	}
	group.Wait()
	return strings.Join(set, "")
}

func (p *press) book(w http.ResponseWriter, r *http.Request) {
	book := r.PathValue("book")
	set := make([]string, chapters)
	group := p.jobs.Group()
	for n := range set {
		group.Submit(func() { set[n] = p.chapter(book, n) })
	}
	group.Wait()
	for _, text := range set {
		w.Write([]byte(text))
	}
}

func (p *press) preview(w http.ResponseWriter, r *http.Request) {
	w.Write([]byte(p.page(r.PathValue("book"), 1, 1)))
}

func main() {
	flag.Parse()
	p := &press{jobs: pond.New(8, 1000)}
	p.pages = p.jobs
	if form.Fixed {
		p.pages = pond.New(8, 1000)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /books/{book}", p.book)
	mux.HandleFunc("GET /books/{book}/preview", p.preview)
	web.Serve(mux)
}
