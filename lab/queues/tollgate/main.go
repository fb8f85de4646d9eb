// Tollgate checks licence plates with an authority; its clients come out of a generic pool.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"time"
)

// Pool hands out values of T.
type Pool[T any] struct{ free chan T }

func NewPool[T any](all ...T) *Pool[T] {
	p := &Pool[T]{make(chan T, len(all))}
	for _, v := range all {
		p.Put(v)
	}
	return p
}

func (p *Pool[T]) Get() T  { return <-p.free }
func (p *Pool[T]) Put(v T) { p.free <- v }

type authority struct {
	http.Client
	url string
}

func (a *authority) owner(plate string) (o struct{ Name string }, err error) {
	resp, err := a.Get(a.url + "/plate/" + plate)
	if err != nil {
		return o, err
	}
	defer resp.Body.Close()
	return o, json.NewDecoder(resp.Body).Decode(&o)
}

type gate struct{ authorities *Pool[*authority] }

func (g gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a := g.authorities.Get()
	owner, err := a.owner(r.PathValue("plate"))
	g.authorities.Put(a)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprintln(w, owner.Name, "may pass")
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr, up := fmt.Sprintf("127.0.0.1:%d", *port), fmt.Sprintf("127.0.0.1:%d", *port+1)
	if *l {
		go http.ListenAndServe(up, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(15 * time.Millisecond)
			io.WriteString(w, `{"Name":"somebody"}`)
		}))
		client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}}
		tick := time.NewTicker(6 * time.Millisecond)
		for i := 0; ; i++ { // cars come when they come, up to 60 at a time
			<-tick.C
			if i%60 == i/60%60 {
				continue
			}
			go func() {
				if resp, err := client.Get(fmt.Sprintf("http://%s/pass/B-%d", addr, i)); err == nil {
					io.Copy(io.Discard, resp.Body)
					resp.Body.Close()
				}
			}()
		}
	}
	var all []*authority
	for range 2 {
		all = append(all, &authority{url: "http://" + up})
	}
	http.Handle("GET /pass/{plate}", gate{NewPool(all...)})
	log.Fatal(http.ListenAndServe(addr, nil))
}
