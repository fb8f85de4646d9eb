// Contacts merges address books, every two seconds those that came in.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"strings"
	"sync"
	"time"
)

type Contact struct {
	Mail string
	Name string
}

func norm(c Contact) Contact {
	c.Mail = strings.ToLower(strings.TrimSpace(c.Mail))
	return c
}

// Unique leaves the first of all that are equal.
func Unique[T any](in []T, same func(a, b T) bool) []T {
	out := in[:0:0]
next:
	for _, v := range in {
		for _, o := range out {
			if same(o, v) {
				continue next
			}
		}
		out = append(out, v)
	}
	return out
}

type inbox struct {
	sync.Mutex
	waiting []Contact
	merged  int
}

func (b *inbox) take() (all []Contact) {
	b.Lock()
	defer b.Unlock()
	all, b.waiting = b.waiting, nil
	return all
}

func (b *inbox) merge() {
	all := b.take()
	for i := range all {
		all[i] = norm(all[i])
	}
	u := Unique(all, func(a, c Contact) bool { return a.Mail == c.Mail })
	b.Lock()
	b.merged += len(u)
	b.Unlock()
}

func (b *inbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var cs []Contact
	if err := json.NewDecoder(r.Body).Decode(&cs); err != nil {
		http.Error(w, err.Error(), 400)
		return
	}
	b.Lock()
	defer b.Unlock()
	b.waiting = append(b.waiting, cs...)
}

func load(url string) {
	n := 0
	for range time.Tick(100 * time.Millisecond) {
		cs := make([]Contact, 2400)
		for i := range cs {
			n++
			cs[i] = Contact{fmt.Sprintf(" P%07d@Mail.example ", n-n%3), "Somebody"}
		}
		b, _ := json.Marshal(cs)
		if res, err := http.Post(url, "", bytes.NewReader(b)); err == nil {
			res.Body.Close()
		}
	}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port)
	if *l {
		load("http://" + addr + "/books")
	}
	b := &inbox{}
	go func() {
		for range time.Tick(2 * time.Second) {
			b.merge()
		}
	}()
	http.Handle("/books", b)
	log.Fatal(http.ListenAndServe(addr, nil))
}
