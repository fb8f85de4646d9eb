// Package shop is the healthy code that every service of the proving ground runs beside its fault: a small shop,
// written the way a careful Go programmer writes one.
//
// The problem: a fault alone in a program is found by anything. The approach: endpoints of the usual sorts, each in a
// file of its own, with all that is shared bounded and all that repeats reused, so that whatever a detector says of
// this package is a false alarm. The limits: it keeps everything in memory and forgets its orders.
package shop

import (
	"context"
	"net/http"
	"sync"
)

// A Shop is the healthy service. Its handler may be used by any number of goroutines.
type Shop struct {
	catalog *catalog
	index   *index
	pages   *pages
	orders  *orders
	ranking *ranking
}

// products is how many the catalogue holds.
const products = 5000

// New makes a shop with its catalogue and its index. It starts nothing.
func New() *Shop {
	c := newCatalog(products)
	return &Shop{
		catalog: c, index: newIndex(c.products), pages: newPages(512),
		orders: newOrders(256), ranking: newRanking(len(c.products)),
	}
}

// Run works on orders and on the ranking until ctx ends.
func (s *Shop) Run(ctx context.Context) {
	var all sync.WaitGroup
	for range workers {
		all.Go(func() { s.orders.work(ctx, s.ranking) })
	}
	all.Go(func() { s.ranking.run(ctx) })
	all.Wait()
}

// Handler serves the paths below /shop/.
func (s *Shop) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /shop/products", s.listProducts)
	mux.HandleFunc("GET /shop/search", s.search)
	mux.HandleFunc("GET /shop/page", s.page)
	mux.HandleFunc("POST /shop/orders", s.order)
	mux.HandleFunc("GET /shop/best", s.best)
	return mux
}
