// Package chan_bottleneck writes orders into a journal before they are answered.
//
// The fault: one goroutine reads the channel and writes each order by itself.
package chan_bottleneck

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/gocasebook/casebook/lab/faults"
)

// A Journal is written by one goroutine.
type Journal struct {
	entries  chan string
	underWay chan struct{}
	batch    int // entries that are written at once
}

// write takes what a disk takes to have written.
func (j *Journal) write([]string) { time.Sleep(10 * time.Millisecond) }

// run reads entries and writes them until ctx ends.
func (j *Journal) run(ctx context.Context) {
	for {
		var batch []string
		select {
		case <-ctx.Done():
			return
		case e := <-j.entries:
			batch = append(batch, e)
		}
		for more := true; more && len(batch) < j.batch; {
			select {
			case e := <-j.entries:
				batch = append(batch, e)
			default:
				more = false
			}
		}
		j.write(batch)
	}
}

// add hands an entry to the writer.
func (j *Journal) add(entry string) { j.entries <- entry }

// ServeHTTP takes an order.
func (j *Journal) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	select {
	case j.underWay <- struct{}{}:
		defer func() { <-j.underWay }()
	default:
		http.Error(w, "too many orders", http.StatusServiceUnavailable)
		return
	}
	j.add(r.URL.Path)
	io.WriteString(w, "written")
}

func service(underWay, batch int) faults.Service {
	j := &Journal{entries: make(chan string), underWay: make(chan struct{}, underWay), batch: batch}
	return faults.Service{Handler: j, Background: j.run, Load: []faults.Call{{Path: "/order", PerSecond: 200}}}
}

// Fault is the kind with its variants.
func Fault() faults.Fault {
	return faults.Fault{
		Kind: "chan-bottleneck", Text: "one goroutine writes orders one by one, 10 ms each",
		Culprit:  "chan_bottleneck.(*Journal).add",
		Faulty:   func() faults.Service { return service(80, 1) },
		Repaired: func() faults.Service { return service(80, 64) },
		Limit:    func() faults.Service { return service(12, 1) },
		Twice:    13 * time.Second,
	}
}
