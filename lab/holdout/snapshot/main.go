// Snapshot reads the price list anew every few seconds and swaps it for the old one. Memory goes up and down. Healthy.
package main

import (
	"flag"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"strconv"
	"sync/atomic"
	"time"
)

type price struct {
	Pence   uint32
	Stock   uint32
	Changed int64
}

type list map[uint64]price

var current atomic.Pointer[list]

// read stands for the supplier's file.
func read(generation uint64) *list {
	m := make(list, 400_000)
	for i := range uint64(400_000) {
		m[i*2654435761%(1<<40)] = price{uint32(i%9000 + generation%7), uint32(i % 50), int64(generation)}
	}
	return &m
}

func refresh() {
	generation := uint64(0)
	for range time.Tick(4 * time.Second) {
		generation++
		current.Store(read(generation))
	}
}

func lookup(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.ParseUint(r.FormValue("article"), 10, 64)
	if err != nil {
		http.Error(w, "article?", http.StatusBadRequest)
		return
	}
	m := *current.Load()
	b := make([]byte, 0, 4096)
	for i := n; i < n+500; i++ {
		if p, ok := m[i*2654435761%(1<<40)]; ok {
			b = strconv.AppendUint(b, uint64(p.Pence), 10)
			b = append(b, '\n')
		}
	}
	w.Write(b)
}

func load(base string) {
	for i, t := 0, time.Tick(2*time.Millisecond); ; i++ {
		<-t
		go func() {
			if r, err := http.Get(fmt.Sprint(base, "/price?article=", i*31%399_000)); err == nil {
				r.Body.Close()
			}
		}()
	}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port)
	if *l {
		load("http://" + addr)
	}
	current.Store(read(0))
	go refresh()
	http.HandleFunc("/price", lookup)
	log.Fatal(http.ListenAndServe(addr, nil))
}
