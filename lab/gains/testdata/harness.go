package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"syscall"
	"time"
)

// sink keeps results alive: what nobody needs, the compiler leaves out.
var sink interface{}

// A result is what the process used for a number of operations.
type result struct {
	Ops     int64   `json:"ops"`
	CPU     float64 `json:"cpu_ns"` // of the whole process, user and system
	Bytes   uint64  `json:"bytes"`
	Objects uint64  `json:"objects"`
}

func main() {
	ops := flag.Int64("ops", 0, "how many operations; 0: as many as fit into -cpu")
	enough := flag.Duration("cpu", time.Second, "CPU time, if -ops is 0")
	profiles := flag.String("profiles", "", "`folder` for a CPU profile and two heap profiles")
	flag.Parse()
	op := work()
	op() // caches, tables
	end := func() {}
	if *profiles != "" {
		end = profile(*profiles)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := cpuTime()
	n := int64(0)
	for batch := int64(1); *ops > 0 && n < *ops || *ops == 0 && cpuTime()-start < *enough; n += batch {
		if n >= 16*batch {
			batch *= 2
		}
		if *ops > 0 && batch > *ops-n {
			batch = *ops - n
		}
		for i := int64(0); i < batch; i++ {
			op()
		}
	}
	used := cpuTime() - start
	runtime.ReadMemStats(&after)
	end()
	err := json.NewEncoder(os.Stdout).Encode(result{Ops: n, CPU: float64(used),
		Bytes: after.TotalAlloc - before.TotalAlloc, Objects: after.Mallocs - before.Mallocs})
	check(err)
}

// profile starts the profiles; what it returns ends them.
func profile(dir string) func() {
	heap(dir + "/heap.pb.gz")
	f, err := os.Create(dir + "/cpu.pb.gz")
	check(err)
	check(pprof.StartCPUProfile(f))
	return func() {
		pprof.StopCPUProfile()
		check(f.Close())
		heap(dir + "/heap-after.pb.gz")
	}
}

// heap writes the profile of a collection that has just ended.
func heap(file string) {
	runtime.GC()
	f, err := os.Create(file)
	check(err)
	check(pprof.Lookup("heap").WriteTo(f, 0))
	check(f.Close())
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
