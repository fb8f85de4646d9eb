// Command holders keeps some megabytes in the way that -case names, and writes a heap dump of itself.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"sort"
	"strings"
	"time"
)

func main() {
	name := flag.String("case", "", "what holds the memory")
	out := flag.String("o", "", "`file` of the dump")
	heap := flag.String("heap", "", "`file` of a heap profile")
	flag.IntVar(&many, "orders", many, "how many orders are kept")
	list := flag.Bool("list", false, "print the cases")
	flag.Parse()
	if *list {
		names := make([]string, 0, len(cases))
		for n := range cases {
			names = append(names, n)
		}
		sort.Strings(names)
		for _, n := range names {
			fmt.Println(n)
		}
		return
	}
	runtime.MemProfileRate = 64 << 10
	debug.SetGCPercent(-1) // two collections empty a sync.Pool; write runs one
	configure()
	cases[*name]()
	settle()
	if err := write(*out, *heap); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// settle waits until all other goroutines wait, on a busy machine for up to ten seconds.
func settle() {
	buf := make([]byte, 1<<20)
	for range 500 {
		time.Sleep(20 * time.Millisecond)
		all := string(buf[:runtime.Stack(buf, true)])
		if strings.Count(all, "[runnable")+strings.Count(all, "[running")+strings.Count(all, "[preempted") == 1 {
			return
		}
	}
}

func write(dump, heap string) error {
	runtime.GC()
	f, err := os.Create(dump)
	if err != nil {
		return err
	}
	debug.WriteHeapDump(f.Fd())
	if heap == "" {
		return f.Close()
	}
	p, err := os.Create(heap)
	if err != nil {
		return err
	}
	return pprof.Lookup("heap").WriteTo(p, 0)
}
