// Package gccall collects.
package gccall

import (
	"io"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
)

type importer struct{ sums map[string]int }

// flush is lab/holdout/sweeper.
func (im *importer) flush(names []string) {
	for _, n := range names {
		im.sums[n]++
	}
	// Batches are large: give the memory back before the next one comes.
	runtime.GC()
}

func (im *importer) clear() {
	clear(im.sums)

	debug.FreeOSMemory() // now
}

// profile needs one.
func profile(w io.Writer) error {
	runtime.GC()
	return pprof.WriteHeapProfile(w)
}

// live measures.
func live() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func init() { runtime.GC() }
