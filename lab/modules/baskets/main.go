// Baskets prices a basket, and puts the price of each article into memcached, over gomemcache.
package main

import (
	"fmt"
	"log"
	"net/http"
	"strconv"
	"sync"

	"github.com/bradfitz/gomemcache/memcache"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

type shop struct {
	mc      *memcache.Client
	pending sync.WaitGroup // of what is written beside the answer
}

func (s *shop) basket(w http.ResponseWriter, r *http.Request) {
	customer, _ := strconv.Atoi(r.FormValue("c"))
	sum := 0
	for i := range 9 {
		article := (customer*17 + i*i) % 10_000
		cents := 100 + article*37%9900
		sum += cents
		s.pending.Add(1)
		go s.remember(article, cents)
	}
	fmt.Fprintf(w, "{\"customer\": %d, \"sum\": %d}\n", customer, sum)
}

func (s *shop) remember(article, cents int) {
	defer s.pending.Done()
	err := s.mc.Set(&memcache.Item{Key: "price:" + strconv.Itoa(article), Value: strconv.AppendInt(nil, int64(cents),
		10),
		Expiration: 300})
	if err != nil {
		log.Print(err)
	}
}

func start(o serve.Options) error {
	s := &shop{mc: memcache.New(o.Backend)}
	s.mc.MaxIdleConns = 200
	http.HandleFunc("GET /basket", s.basket)
	return s.mc.Ping()
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 2000, Backend: serve.Memcached,
		Path: func(i int) string { return fmt.Sprint("/basket?c=", i%20000) }})
}
