// Command shop adds up orders, and writes the profiles that docs/lint.md shows: go run -trimpath . FOLDER
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"runtime/pprof"
	"time"
)

func main() {
	if err := run(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func run(dir string) error {
	cpu, err := os.Create(filepath.Join(dir, "cpu.pb.gz"))
	if err != nil {
		return err
	}
	defer cpu.Close()
	if err := pprof.StartCPUProfile(cpu); err != nil {
		return err
	}
	for begin := time.Now(); time.Since(begin) < 4*time.Second; {
		work()
	}
	pprof.StopCPUProfile()
	heap, err := os.Create(filepath.Join(dir, "heap.pb.gz"))
	if err != nil {
		return err
	}
	defer heap.Close()
	return pprof.Lookup("heap").WriteTo(heap, 0)
}

// work is the day of a shop: many orders are read, and one report is written.
func work() {
	var orders []Order
	for i := range 2000 {
		if o, ok := parse(fmt.Sprint("shop", i%50, ",item", i, ",customer", i, "@example.com")); ok {
			orders = append(orders, o)
		}
	}
	total(orders)
	report("shop1", orders)
	if host(orders[0]) == "" {
		log.Print("no host")
	}
}
