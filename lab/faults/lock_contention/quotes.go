// Package lock_contention quotes shipments.
//
// The fault: a quote is worked out under the lock of the tariffs, and a batch asks for all its quotes at once.
package lock_contention

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
)

// tariffs are prices by zone. They do not change once they are made: a new day gets new ones.
type tariffs struct {
	zones [64]int
}

// Quotes works out prices of shipments.
type Quotes struct {
	batch int  // quotes a request
	copy  bool // take what is needed under the lock, work outside

	mu    sync.Mutex
	today *tariffs
}

// quote is the price of a shipment.
func (q *Quotes) quote(shipment int) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.today.price(shipment)
}

// quoteOutside is the same, with the lock held for one read only.
func (q *Quotes) quoteOutside(shipment int) int {
	q.mu.Lock()
	t := q.today
	q.mu.Unlock()
	return t.price(shipment)
}

// steps is how many ways to pack and to send a shipment are looked at: about 0.02 ms together.
const steps = 8_000

// price is that of the best way to pack and to send a shipment.
func (t *tariffs) price(shipment int) int { return t.fare(shipment, volume(shipment)) }

// volume is the least in which a shipment can be packed.
func volume(shipment int) int {
	least := 1 << 30
	for i := range steps {
		shipment = shipment*1_103_515_245 + 12_345
		least = min(least, 100+int(uint(shipment)>>40)%50+i%7)
	}
	return least
}

// fare is the least for which a volume can be sent.
func (t *tariffs) fare(shipment, volume int) int {
	least := 1 << 30
	for i := range steps {
		shipment = shipment*6_364_136_223_846_793_005 + 1
		least = min(least, t.zones[uint(shipment)>>58]+volume*(i%7))
	}
	return least
}

// change makes the tariffs anew every second.
func (q *Quotes) change(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for day := 1; ; day++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		t := newTariffs(day)
		q.mu.Lock()
		q.today = t
		q.mu.Unlock()
	}
}

func newTariffs(day int) *tariffs {
	t := &tariffs{}
	for z := range t.zones {
		t.zones[z] = 500 + (z*37+day)%100
	}
	return t
}

// ServeHTTP answers with the sum of a batch's quotes, each worked out in a goroutine.
func (q *Quotes) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	work := q.quote
	if q.copy {
		work = q.quoteOutside
	}
	var all sync.WaitGroup
	var sum atomic.Int64
	for shipment := range q.batch {
		all.Go(func() { sum.Add(int64(work(shipment))) })
	}
	all.Wait()
	fmt.Fprint(w, sum.Load())
}

func service(batch int, outside bool, perSecond float64) faults.Service {
	q := &Quotes{batch: batch, copy: outside, today: newTariffs(0)}
	return faults.Service{Handler: q, Background: q.change,
		Load: []faults.Call{{Path: "/quotes", PerSecond: perSecond}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind:          "lock-contention",
		Text:          "200 quotes at once are worked out one after the other, under the lock of their tariffs",
		Culprit:       "lock_contention.(*Quotes).quote",
		Faulty:        func() faults.Service { return service(200, false, 10) },
		Repaired:      func() faults.Service { return service(200, true, 10) },
		Limit:         func() faults.Service { return service(90, false, 10) },
		MutexFraction: 1,
	}
}
