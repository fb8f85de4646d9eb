// Command shop prices orders for some seconds. It writes two heap profiles and a CPU profile, of the time between them,
// into a folder:
//
//	go run . ..
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"time"
)

func main() {
	dir := os.Args[1]
	s := &shop{stock: make(map[string]int), prices: make([]int, 1024)}
	heap(filepath.Join(dir, "heap-before.pb.gz"))
	cpu := create(filepath.Join(dir, "cpu.pb.gz"))
	if err := pprof.StartCPUProfile(cpu); err != nil {
		log.Fatal(err)
	}
	for end, n := time.Now().Add(4*time.Second), 0; time.Now().Before(end); n++ {
		s.order(n)
	}
	pprof.StopCPUProfile()
	heap(filepath.Join(dir, "heap-after.pb.gz"))
	fmt.Println(s.sold)
}

func create(file string) *os.File {
	f, err := os.Create(file)
	if err != nil {
		log.Fatal(err)
	}
	return f
}

func heap(file string) {
	runtime.GC()
	if err := pprof.Lookup("heap").WriteTo(create(file), 0); err != nil {
		log.Fatal(err)
	}
}
