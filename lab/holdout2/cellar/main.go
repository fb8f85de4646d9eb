// Cellar keeps labels of wine bottles, as small pictures, in one arena with an index of integers.
package main

import (
	"flag"
	"fmt"
	"hash/maphash"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"strconv"
	"sync"
	"time"
)

type place struct{ at, size uint32 }

// arena writes round and round: what is overwritten is gone.
type arena struct {
	mu    sync.RWMutex
	data  []byte
	next  uint32
	index map[uint64]place
	order []uint64 // keys in the order of their places
	seed  maphash.Seed
}

func newArena(size int) *arena {
	return &arena{data: make([]byte, size), index: make(map[uint64]place), seed: maphash.MakeSeed()}
}

func (a *arena) put(key string, label []byte) {
	h := maphash.String(a.seed, key)
	a.mu.Lock()
	defer a.mu.Unlock()
	if int(a.next)+len(label) > len(a.data) {
		a.next = 0
	}
	end := a.next + uint32(len(label))
	for len(a.order) > 0 {
		if p, ok := a.index[a.order[0]]; ok && (p.at >= end || p.at+p.size <= a.next) {
			break
		}
		delete(a.index, a.order[0])
		a.order = a.order[1:]
	}
	copy(a.data[a.next:], label)
	a.index[h] = place{a.next, uint32(len(label))}
	a.order = append(a.order, h)
	a.next = end
}

// get writes a label to w.
func (a *arena) get(key string, w io.Writer) bool {
	h := maphash.String(a.seed, key)
	var b [4 << 10]byte
	a.mu.RLock()
	p, ok := a.index[h]
	n := copy(b[:], a.data[p.at:p.at+p.size])
	a.mu.RUnlock()
	if ok {
		w.Write(b[:n])
	}
	return ok
}

func (a *arena) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	bottle := r.PathValue("bottle")
	if !a.get(bottle, w) {
		label := draw(bottle)
		a.put(bottle, label)
		w.Write(label)
	}
}

func draw(bottle string) []byte {
	b := make([]byte, 3<<10)
	for i := range b {
		b[i] = bottle[i%len(bottle)] ^ byte(i)
	}
	return b
}

func load(url string) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}
	for n := range 8 {
		go func() {
			for i := n; ; i += 8 {
				if res, err := client.Get(fmt.Sprintf("%s/label/%d", url, i*7919%110_000)); err == nil {
					io.Copy(io.Discard, res.Body)
					res.Body.Close()
				}
				time.Sleep(6 * time.Millisecond)
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
	a := newArena(320 << 20)
	for i := range 100_000 {
		key := strconv.Itoa(i)
		a.put(key, draw(key))
	}
	http.Handle("/label/{bottle}", a)
	log.Fatal(http.ListenAndServe(addr, nil))
}
