// Package evidence_truncated prices carts by rules, each of which refines what the ones before it gave.
//
// The fault is the evidence's: the rules call one another, 100 deep. The runtime records 64 frames of a stack in a CPU
// profile and drops the outer ones, so it does not say for whom the work is done: the shop's quotes, or the previews of
// the back office.
package evidence_truncated

import (
	"hash/crc32"
	"io"
	"net/http"
	"strconv"

	"github.com/gocasebook/casebook/lab/faults"
)

// A Rule refines a price.
type Rule struct {
	before *Rule
	table  []byte // looked at for every price
}

// refine applies the rules before, then this one. It is the work of a pricing engine: a checksum stands for it.
func (r *Rule) refine(price uint32) uint32 {
	if r.before != nil {
		price = r.before.refine(price)
	}
	return crc32.Update(price, crc32.IEEETable, r.table)
}

// chain are n rules.
func chain(n int) (last *Rule) {
	for range n {
		last = &Rule{before: last, table: make([]byte, 40_000)}
	}
	return last
}

// refineInTurn is refine by a loop, from the first rule to the last.
func refineInTurn(rules []*Rule, price uint32) uint32 {
	for _, r := range rules {
		price = crc32.Update(price, crc32.IEEETable, r.table)
	}
	return price
}

func inTurn(last *Rule) (rules []*Rule) {
	for r := last; r != nil; r = r.before {
		rules = append([]*Rule{r}, rules...)
	}
	return rules
}

func service(refine func(uint32) uint32) faults.Service {
	mux := http.NewServeMux()
	mux.HandleFunc("/quote", func(w http.ResponseWriter, _ *http.Request) { quote(w, refine) })
	mux.HandleFunc("/preview", func(w http.ResponseWriter, _ *http.Request) { preview(w, refine) })
	// No rate in step with the kernel's tick (100 or 250 Hz): a profiler that runs on it would see the one and never
	// the other.
	return faults.Service{Handler: mux, Load: []faults.Call{{Path: "/quote", PerSecond: 263},
		{Path: "/preview", PerSecond: 271}}}
}

//go:noinline
func quote(w io.Writer, refine func(uint32) uint32) {
	io.WriteString(w, strconv.Itoa(int(refine(100))))
}

//go:noinline
func preview(w io.Writer, refine func(uint32) uint32) {
	io.WriteString(w, strconv.Itoa(int(refine(200))))
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "evidence-truncated", Text: "100 pricing rules that call one another",
		Faulty: func() faults.Service { return service(chain(100).refine) },
		Repaired: func() faults.Service {
			rules := inTurn(chain(100))
			return service(func(price uint32) uint32 { return refineInTurn(rules, price) })
		},
		Limit: func() faults.Service { return service(chain(62).refine) },
	}
}
