// Tiles serves pieces of a map, the last used ones from memory.
package main

import (
	"flag"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"sync"
	"time"
)

type coord struct{ z, x, y int }

func (c coord) String() string { return fmt.Sprintf("%d/%d/%d", c.z, c.x, c.y) }

type slot[K comparable, V any] struct {
	key K
	val V
}

// LRU holds the last n values, the newest at the end.
type LRU[K comparable, V any] struct {
	mu    sync.Mutex
	slots []slot[K, V]
	n     int
}

func (l *LRU[K, V]) position(k K) int {
	for i := range l.slots {
		if l.slots[i].key == k {
			return i
		}
	}
	return -1
}

func (l *LRU[K, V]) Get(k K, fetch func(K) V) V {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := l.position(k); i >= 0 {
		s := l.slots[i]
		copy(l.slots[i:], l.slots[i+1:])
		l.slots[len(l.slots)-1] = s
		return s.val
	}
	if len(l.slots) == l.n {
		copy(l.slots, l.slots[1:])
		l.slots = l.slots[:l.n-1]
	}
	l.slots = append(l.slots, slot[K, V]{k, fetch(k)})
	return l.slots[len(l.slots)-1].val
}

func paint(c coord) []byte {
	b := make([]byte, 256)
	for i := range b {
		b[i] = byte(i*c.x ^ c.y<<c.z)
	}
	return b
}

type mapServer struct{ tiles *LRU[coord, []byte] }

// view answers with 8 by 6 tiles.
func (m *mapServer) view(w http.ResponseWriter, r *http.Request) {
	var c coord
	if _, err := fmt.Sscanf(r.FormValue("at"), "%d/%d/%d", &c.z, &c.x, &c.y); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	for dy := range 6 {
		for dx := range 8 {
			w.Write(m.tiles.Get(coord{c.z, c.x + dx, c.y + dy}, paint))
		}
	}
}

func load(base string) {
	x := uint32(7)
	for range time.Tick(2 * time.Millisecond) {
		x = x*1664525 + 1013904223
		c := coord{9, int(x >> 26), int(x>>16) & 63}
		go func() {
			if r, err := http.Get(base + "/view?at=" + c.String()); err == nil {
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
	m := &mapServer{&LRU[coord, []byte]{n: 6000}}
	http.HandleFunc("/view", m.view)
	log.Fatal(http.ListenAndServe(addr, nil))
}
