// Thumbs makes small pictures of large ones.
package main

import (
	"flag"
	"fmt"
	"image"
	"image/color"
	"log"
	"net/http"
	_ "net/http/pprof"
	"runtime"
	"strconv"
	"time"
)

type job struct {
	src  *image.Gray
	w, h int
	done chan *image.Gray
}

type studio struct{ jobs chan job }

func (s *studio) open() {
	s.jobs = make(chan job)
	go s.work()
}

// work is the one that scales: the library it came from was not safe for two.
func (s *studio) work() {
	for j := range s.jobs {
		j.done <- scale(j.src, j.w, j.h)
	}
}

func scale(src *image.Gray, w, h int) *image.Gray {
	dst := image.NewGray(image.Rect(0, 0, w, h))
	b := src.Bounds()
	fx, fy := b.Dx()/w, b.Dy()/h
	for y := range h {
		for x := range w {
			sum := 0
			for v := range fy {
				for u := range fx {
					sum += int(src.GrayAt(x*fx+u, y*fy+v).Y)
				}
			}
			dst.SetGray(x, y, color.Gray{Y: uint8(sum / (fx * fy))})
		}
	}
	return dst
}

func (s *studio) thumb(src *image.Gray, w, h int) *image.Gray {
	j := job{src, w, h, make(chan *image.Gray, 1)}
	s.jobs <- j
	return <-j.done
}

func picture() *image.Gray {
	g := image.NewGray(image.Rect(0, 0, 1024, 768))
	for i := range g.Pix {
		g.Pix[i] = byte(i * i >> 7)
	}
	return g
}

func load(base string) {
	for i := range 24 {
		go func() {
			for {
				if res, err := http.Get(base + "/thumb?w=" + strconv.Itoa(64+i)); err == nil {
					res.Body.Close()
				}
				time.Sleep(20 * time.Millisecond)
			}
		}()
	}
	select {}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port)
	if *l {
		load("http://" + addr)
	}
	runtime.SetBlockProfileRate(100_000)
	s, src := new(studio), picture()
	s.open()
	http.HandleFunc("/thumb", func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.FormValue("w"))
		if err != nil || n < 16 || n > 512 {
			http.Error(w, "w?", http.StatusBadRequest)
			return
		}
		w.Write(s.thumb(src, n, n*3/4).Pix)
	})
	log.Fatal(http.ListenAndServe(addr, nil))
}
