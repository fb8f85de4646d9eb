// Preview makes a small copy of a picture.
package main

import (
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"log"
	"net/http"
	_ "net/http/pprof"
	"runtime/debug"
	"sync"

	"github.com/gocasebook/casebook/lab/unseen/third/form"
	"github.com/gocasebook/casebook/lab/unseen/third/web"
)

type entry struct {
	title string
	tags  []string
	next  *entry
}

type gallery struct {
	mu      sync.Mutex
	entries map[int]*entry
	picture *image.RGBA
}

// release gives the memory of the picture back.
func (g *gallery) release() {
	if !form.Fixed {
		debug.FreeOSMemory()
	}
}

func (g *gallery) preview(w http.ResponseWriter, r *http.Request) {
	defer g.release()
	small := image.NewRGBA(image.Rect(0, 0, 64, 48))
	for y := range 48 {
		for x := range 64 {
			small.SetRGBA(x, y, g.picture.RGBAAt(x*10, y*10))
		}
	}
	w.Header().Set("Content-Type", "image/jpeg")
	jpeg.Encode(w, small, &jpeg.Options{Quality: 70})
}

func (g *gallery) title(w http.ResponseWriter, r *http.Request) {
	var id int
	fmt.Sscan(r.PathValue("id"), &id)
	g.mu.Lock()
	defer g.mu.Unlock()
	if e, ok := g.entries[id]; ok {
		fmt.Fprintln(w, e.title, e.tags)
	}
}

func main() {
	flag.Parse()
	g := &gallery{entries: make(map[int]*entry), picture: image.NewRGBA(image.Rect(0, 0, 640, 480))}
	for i := range g.picture.Pix {
		g.picture.Pix[i] = color.RGBA{uint8(i), uint8(i >> 3), uint8(i >> 9), 255}.R
	}
	var last *entry
	for i := range 150_000 {
		last = &entry{fmt.Sprintf("picture %d", i), []string{fmt.Sprint("tag", i%100), "small"}, last}
		g.entries[i] = last
	}
	http.HandleFunc("GET /pictures/{id}/preview", g.preview)
	http.HandleFunc("GET /pictures/{id}", g.title)
	log.Fatal(http.ListenAndServe(*web.Addr, nil))
}
