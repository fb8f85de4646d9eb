package main

import (
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gocasebook/casebook"
)

// A record is about 190 bytes in three objects, as a row of a table that a service keeps.
type record struct {
	id          int
	name, notes string
	next        *record
}

// dump fills the heap with a map, a slice and a list, in equal parts, and writes a dump while another goroutine looks
// how long it does not run.
func dump(file string, size int) error {
	byName, list, all := fill(size << 20)
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	var longest atomic.Int64
	go watch(&longest)
	time.Sleep(100 * time.Millisecond)
	longest.Store(0)
	start := time.Now()
	if err := casebook.WriteHeapDump(file); err != nil {
		return err
	}
	took := time.Since(start)
	time.Sleep(100 * time.Millisecond)
	gib := float64(m.HeapAlloc) / (1 << 30)
	stopped := time.Duration(longest.Load())
	fmt.Printf("heap: %.2f GiB in %d objects\n", gib, m.HeapObjects)
	fmt.Printf("writing: %.1f s in all; the process stood still for %.1f s, %.1f s a GiB\n", took.Seconds(),
		stopped.Seconds(), stopped.Seconds()/gib)
	runtime.KeepAlive(byName)
	runtime.KeepAlive(list)
	runtime.KeepAlive(all)
	return nil
}

// perRecord is what a record takes with its place in the map, the slice or the list, in bytes.
const perRecord = 210

func fill(bytes int) (byName map[string]*record, list *record, all []*record) {
	byName = make(map[string]*record)
	for i := range bytes / perRecord {
		r := &record{id: i, name: fmt.Sprint("record ", i), notes: strings.Repeat("n", 90)}
		switch i % 3 {
		case 0:
			byName[r.name] = r
		case 1:
			all = append(all, r)
		default:
			r.next, list = list, r
		}
	}
	return byName, list, all
}

// watch keeps the longest time between two looks at the clock, 1 ms apart.
func watch(longest *atomic.Int64) {
	for last := time.Now(); ; {
		time.Sleep(time.Millisecond)
		now := time.Now()
		longest.Store(max(longest.Load(), int64(now.Sub(last))))
		last = now
	}
}
