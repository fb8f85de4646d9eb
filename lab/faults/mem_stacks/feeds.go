// Package mem_stacks pushes prices to subscribers, each of which has a goroutine of its own.
//
// The fault: the goroutine keeps the page that it sends as a local variable, and so on its stack, for as long as it
// lives.
package mem_stacks

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
)

const pageSize = 64 << 10

type page [pageSize]byte

// Feeds are the subscribers.
type Feeds struct {
	subscribers int
	pooled      bool
	images      int // that the service holds beside, of imageSize each

	pages sync.Pool // of *page
	sent  atomic.Int64
	held  [][]byte
}

const imageSize = 64 << 10

// follow pushes to a subscriber until ctx ends.
func (f *Feeds) follow(ctx context.Context, changes <-chan time.Time) {
	var p page
	for {
		select {
		case <-ctx.Done():
			return
		case at := <-changes:
			f.send(render(p[:], at))
		}
	}
}

// followPooled takes a page only while it sends.
func (f *Feeds) followPooled(ctx context.Context, changes <-chan time.Time) {
	for {
		select {
		case <-ctx.Done():
			return
		case at := <-changes:
			p := f.pages.Get().(*page)
			f.send(render(p[:], at))
			f.pages.Put(p)
		}
	}
}

// render fills a page.
func render(p []byte, at time.Time) []byte {
	n := copy(p, at.Format(time.RFC3339))
	for n < len(p)/2 {
		n += copy(p[n:], p[:n])
	}
	return p[:n]
}

func (f *Feeds) send(p []byte) { f.sent.Add(int64(len(p))) }

// Run serves all subscribers, of which one hears of a change every tick, until ctx ends.
func (f *Feeds) Run(ctx context.Context) {
	for range f.images {
		f.held = append(f.held, make([]byte, imageSize))
	}
	follow := f.follow
	if f.pooled {
		follow = f.followPooled
	}
	changes := make(chan time.Time)
	var all sync.WaitGroup
	for range f.subscribers {
		all.Go(func() { follow(ctx, changes) })
	}
	f.publish(ctx, changes)
	all.Wait()
}

func (f *Feeds) publish(ctx context.Context, changes chan<- time.Time) {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case at := <-tick.C:
			select {
			case changes <- at:
			case <-ctx.Done():
				return
			}
		}
	}
}

// ServeHTTP answers with what was sent.
func (f *Feeds) ServeHTTP(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, f.sent.Load()) }

func service(subscribers, images int, pooled bool) faults.Service {
	f := &Feeds{subscribers: subscribers, images: images, pooled: pooled,
		pages: sync.Pool{New: func() any { return new(page) }}}
	return faults.Service{Handler: f, Background: f.Run, Load: []faults.Call{{Path: "/sent", PerSecond: 100}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "mem-stacks", Text: "900 goroutines have a page of 64 KiB each on their stacks",
		Culprit:  "mem_stacks.(*Feeds).follow",
		Faulty:   func() faults.Service { return service(900, 300, false) },
		Repaired: func() faults.Service { return service(900, 300, true) },
		Limit:    func() faults.Service { return service(600, 2000, false) },
		Warm:     10 * time.Second,
	}
}
