// Package gc_stw publishes a table of prices anew several times a second.
//
// The fault: the whole table is copied at once. While that goes on the goroutine cannot be stopped, and everything
// waits for it whenever the world is to stop.
package gc_stw

import (
	"context"
	"encoding/binary"
	"fmt"
	"net/http"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
)

// Prices are 8 bytes an article.
type Prices struct {
	copies  [2][]byte
	piece   int // bytes that are copied at a time
	current atomic.Pointer[[]byte]
}

func newPrices(size, piece int) *Prices {
	p := &Prices{piece: piece}
	for i := range p.copies {
		p.copies[i] = make([]byte, size)
		for j := 0; j+8 <= size; j += 4096 {
			binary.LittleEndian.PutUint64(p.copies[i][j:], uint64(j))
		}
	}
	p.current.Store(&p.copies[0])
	return p
}

// publish makes the other copy the current one, with a change in it.
func (p *Prices) publish(turn int) {
	from, to := p.copies[turn%2], p.copies[(turn+1)%2]
	for len(from) > 0 {
		n := copy(to, from[:min(p.piece, len(from))])
		from, to = from[n:], to[n:]
		if len(from) > 0 {
			runtime.Gosched() // the loop itself is too short for the signal that preempts to meet it
		}
	}
	next := p.copies[(turn+1)%2]
	binary.LittleEndian.PutUint64(next, uint64(turn))
	p.current.Store(&next)
}

func (p *Prices) run(ctx context.Context) {
	for turn := 0; ctx.Err() == nil; turn++ {
		p.publish(turn)
		select {
		case <-ctx.Done():
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// ServeHTTP answers with a list of prices.
func (p *Prices) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	table := *p.current.Load()
	var list []*uint64
	for i := range 20_000 {
		v := binary.LittleEndian.Uint64(table[i*8%(len(table)-8):])
		list = append(list, &v)
	}
	fmt.Fprintln(w, len(list))
}

func service(size, piece int) faults.Service {
	p := newPrices(size, piece)
	return faults.Service{Handler: p, Background: p.run, Load: []faults.Call{{Path: "/prices", PerSecond: 200}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	const mib = 1 << 20
	return faults.Fault{
		Kind: "gc-stw", Text: "256 MiB are copied at once, again and again",
		Culprit:  "gc_stw.(*Prices).publish",
		Faulty:   func() faults.Service { return service(256*mib, 256*mib) },
		Repaired: func() faults.Service { return service(256*mib, mib/4) },
		Limit:    func() faults.Service { return service(256*mib, 96*mib) },
		Env:      []string{"GOGC=10"}, Trace: true,
	}
}
