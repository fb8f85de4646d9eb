package main

import (
	"runtime"
	"runtime/debug"
)

// planted holds what lives until the end.
var planted []any

// A plant is a way to fill so much memory. What a page is for is known to who asks for it, and to nobody else.
var plants = map[string]func(bytes int){
	"live":    func(n int) { planted = append(planted, records(n)) },
	"garbage": garbage,
	"holes":   holes,
	"stacks":  func(n int) { park(n / stackSize) },
	"file":    file,
	"anon":    anonymous,
}

// stackSize is what a goroutine's stack has at first (runtime/stack.go, stackMin).
const stackSize = 2 << 10

// record is an entry as a service's table has them. With the header of 8 bytes that the runtime gives to objects above
// 512 bytes with pointers, it takes 1 KiB.
type record struct {
	next *record
	_    [1008]byte
}

func records(n int) *record {
	var list *record
	for range n >> 10 {
		list = &record{next: list}
	}
	return list
}

// garbage is left behind by a program whose collector is off.
func garbage(n int) {
	debug.SetGCPercent(-1)
	runtime.KeepAlive(records(n))
}

// holes keeps one record of each span of 8 KiB, and lets the others die: seven of eight are holes.
func holes(n int) {
	var kept []*record
	for i, r := 0, records(n*8/7); r != nil; i, r = i+1, r.next {
		if i%8 == 0 {
			kept = append(kept, r)
		}
	}
	for _, r := range kept {
		r.next = nil
	}
	planted = append(planted, kept)
	runtime.GC()
	debug.FreeOSMemory()
}
