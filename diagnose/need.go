package diagnose

import (
	"github.com/gocasebook/casebook/casefile"
)

func needHeap(why string) []Need {
	return []Need{{Kinds: []string{casefile.Heap, casefile.Allocs}, Reason: "no heap profile", Why: why,
		Capture: captureHeap}}
}

func needCPU(why string) []Need {
	return []Need{{Kinds: []string{casefile.CPU}, Reason: "no CPU profile", Why: why, Capture: captureCPU}}
}

func needGoroutines(kinds ...string) []Need {
	return []Need{{Kinds: append(kinds, casefile.Goroutine), Reason: "no goroutine profile or dump",
		Capture: captureGoroutine}}
}

// Commands that get evidence. HOST is the target's address.
const (
	captureCPU      = "curl -fo cpu.pb.gz 'http://HOST/debug/pprof/profile?seconds=30'"
	captureHeap     = "curl -fo heap.pb.gz 'http://HOST/debug/pprof/heap'"
	captureHeapNow  = "curl -fo heap.pb.gz 'http://HOST/debug/pprof/heap?gc=1' (runs a collection first)"
	captureTwoHeaps = "curl -fo heap1.pb.gz 'http://HOST/debug/pprof/heap'; sleep 60; curl -fo heap2.pb.gz " +
		"'http://HOST/debug/pprof/heap'; casebook diagnose heap1.pb.gz heap2.pb.gz"
	captureGoroutine = "curl -fo goroutine.pb.gz 'http://HOST/debug/pprof/goroutine'"
	captureMutex     = "call runtime.SetMutexProfileFraction(100) at start-up, then: curl -fo mutex.pb.gz " +
		"'http://HOST/debug/pprof/mutex?seconds=30'"
	captureDump = "curl -fo goroutines.txt 'http://HOST/debug/pprof/goroutine?debug=2' (below 1,000 goroutines; " +
		"it stops the program for up to 0.2 s at 10,000)"
	captureLaterHeap = "curl -fo heap1.pb.gz 'http://HOST/debug/pprof/heap'; sleep 300; curl -fo heap2.pb.gz " +
		"'http://HOST/debug/pprof/heap' under the same load; casebook diagnose heap1.pb.gz heap2.pb.gz: a store that " +
		"fills up has stopped growing, a leak has not"
	captureTwoCollected = "curl -fo heap1.pb.gz 'http://HOST/debug/pprof/heap?gc=1'; sleep 60; curl -fo heap2.pb.gz " +
		"'http://HOST/debug/pprof/heap?gc=1' (each runs a collection first); casebook diagnose heap1.pb.gz heap2.pb.gz"
	captureTimes = "curl -fo /dev/null 'http://HOST/debug/pprof/heap?gc=1' (a collection records when " +
		"goroutines began to wait); sleep 70; curl -fo goroutines.txt 'http://HOST/debug/pprof/goroutine?debug=2'"
	captureTwoGo = "curl -fo g1.pb.gz 'http://HOST/debug/pprof/goroutine'; sleep 60; curl -fo g2.pb.gz " +
		"'http://HOST/debug/pprof/goroutine'; casebook diagnose g1.pb.gz g2.pb.gz"
	captureNumbers = "curl -fo heap.txt 'http://HOST/debug/pprof/heap?debug=1' (its end has the runtime's numbers)"
	captureWatch   = "casebook watch http://HOST/debug/pprof/ for five minutes, or casebook capture, which takes the " +
		"vitals too"
)
