// Package evidence_few_samples serves two more branches of the shop, with stocks of their own. Nothing is wrong with
// them.
//
// The fault is the capture's: a process that uses a third of a core is profiled for five seconds, which gives some 150
// samples. A function with a tenth of the CPU then has 15 of them, give or take 7.
package evidence_few_samples

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
	"github.com/gocasebook/casebook/lab/faults/shop"
)

const branches = 2

func service(window time.Duration) faults.Service {
	mux := http.NewServeMux()
	s := faults.Service{Handler: mux, Capture: faults.Capture{CPU: window}}
	var stocks []func() *shop.Shop
	for i := range branches {
		stock := sync.OnceValue(shop.New)
		stocks = append(stocks, stock)
		prefix := "/branch/" + string(rune('a'+i))
		mux.HandleFunc(prefix+"/", func(w http.ResponseWriter, r *http.Request) {
			http.StripPrefix(prefix, stock().Handler()).ServeHTTP(w, r)
		})
		for _, c := range faults.ShopLoad() {
			c.Path = prefix + c.Path
			s.Load = append(s.Load, c)
		}
	}
	s.Background = func(ctx context.Context) { run(ctx, stocks) }
	return s
}

// run works the branches' orders until ctx ends.
func run(ctx context.Context, stocks []func() *shop.Shop) {
	var all sync.WaitGroup
	for _, stock := range stocks {
		all.Go(func() { stock().Run(ctx) })
	}
	all.Wait()
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "evidence-few-samples", Text: "a service that uses a third of a core, profiled for 5 s",
		Faulty:   func() faults.Service { return service(5 * time.Second) },
		Repaired: func() faults.Service { return service(20 * time.Second) },
		Limit:    func() faults.Service { return service(7 * time.Second) },
	}
}
