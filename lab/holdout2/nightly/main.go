// Nightly ranks the readers of a library, again and again in the background, and answers for their rank.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"slices"
	"strconv"
	"sync/atomic"
	"time"
)

type reader struct {
	id, loans int32
	fines     float32
}

type ranking struct {
	by   []reader
	rank []int32
}

type ranker struct {
	current atomic.Pointer[ranking]
	day     int
}

// next makes a ranking beside the current one, in the two slices of the one before.
func (r *ranker) next(old *ranking) *ranking {
	r.day++
	for i := range old.by {
		old.by[i] = reader{int32(i), int32(i * (r.day + 7919) % 977), float32(i*31%997) / 10}
	}
	slices.SortFunc(old.by, func(a, b reader) int {
		return cmp.Or(cmp.Compare(b.loans, a.loans), cmp.Compare(a.fines, b.fines), cmp.Compare(a.id, b.id))
	})
	for place, x := range old.by {
		old.rank[x.id] = int32(place)
	}
	return old
}

func empty(n int) *ranking { return &ranking{make([]reader, n), make([]int32, n)} }

// run lets readers of the old ranking finish before its slices are used again.
func (r *ranker) run(n int) {
	spare := empty(n)
	for {
		fresh := r.next(spare)
		spare = r.current.Swap(fresh)
		time.Sleep(1500 * time.Millisecond)
	}
}

func (r *ranker) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	now := r.current.Load()
	id, err := strconv.Atoi(q.FormValue("reader"))
	if err != nil || id < 0 || id >= len(now.rank) {
		http.NotFound(w, q)
		return
	}
	fmt.Fprintln(w, now.rank[id]+1)
}

func load(url string) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8}}
	for i := 0; ; i++ {
		if res, err := client.Get(fmt.Sprintf("%s/rank?reader=%d", url, i*37%200_000)); err == nil {
			io.Copy(io.Discard, res.Body)
			res.Body.Close()
		}
		time.Sleep(10 * time.Millisecond)
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
	const readers = 1_200_000
	r := new(ranker)
	r.current.Store(r.next(empty(readers)))
	go r.run(readers)
	http.Handle("/rank", r)
	log.Fatal(http.ListenAndServe(addr, nil))
}
