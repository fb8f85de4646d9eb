// Package goroutine_deadlock moves money between accounts.
//
// The fault: a transfer locks the account that pays, then the one that gets, and another does the same the other way
// round.
package goroutine_deadlock

import (
	"fmt"
	"net/http"
	"runtime"
	"sync"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
)

type account struct {
	mu      sync.Mutex
	id      int
	balance int
}

// A Bank has accounts.
type Bank struct {
	accounts [6]account
	ordered  bool
	pairs    int // of accounts that transfers are between; 0 has one transfer of an account to itself
	once     sync.Once
}

// transfer moves an amount.
func (b *Bank) transfer(from, to *account, amount int) {
	if b.ordered && from == to {
		return
	}
	first, second := from, to
	if b.ordered && to.id < from.id {
		first, second = to, from
	}
	first.mu.Lock()
	defer first.mu.Unlock()
	runtime.Gosched() // what is checked before the second lock
	second.mu.Lock()
	defer second.mu.Unlock()
	from.balance -= amount
	to.balance += amount
}

// ServeHTTP makes a transfer.
func (b *Bank) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var i int
	fmt.Sscan(r.FormValue("i"), &i)
	if b.pairs == 0 {
		b.once.Do(func() { go b.transfer(&b.accounts[5], &b.accounts[5], 1) })
		b.transfer(&b.accounts[0], &b.accounts[1], 1)
		fmt.Fprint(w, "done")
		return
	}
	var both sync.WaitGroup
	for n := range 40 { // a list of payments, there and back
		from, to := &b.accounts[n%2], &b.accounts[1-n%2]
		both.Go(func() { b.transfer(from, to, i) })
	}
	both.Wait()
	fmt.Fprint(w, "done")
}

func service(pairs int, ordered bool) faults.Service {
	b := &Bank{ordered: ordered, pairs: pairs}
	for i := range b.accounts {
		b.accounts[i].id = i
	}
	return faults.Service{Handler: b, Load: []faults.Call{{Path: "/pay?i=%d", PerSecond: 0.2}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "goroutine-deadlock", Text: "transfers lock two accounts in either order",
		Culprit:  "goroutine_deadlock.(*Bank).transfer",
		Faulty:   func() faults.Service { return service(1, false) },
		Repaired: func() faults.Service { return service(1, true) },
		Limit:    func() faults.Service { return service(0, false) },
		Warm:     75 * time.Second,
	}
}
