// Command loops runs hand-written loops one after the other, each for 2.5 s of CPU, and writes their CPU profiles:
// searches and comparisons of collections as people write them, and loops that do something else. Most are written like
// functions in public repositories, and none was changed for a detector.
//
//	go build -trimpath -o loops ./diagnose/testdata/loops && ./loops diagnose/testdata/loops
//
// The names say what they are: search- looks for an element, match- compares collections, open- does so with names that
// do not tell, other- does something else. The profiles std- are of the standard library's and golang/snappy's codecs,
// whose packages were copied into a program so that they are its own code.
package main

import (
	"fmt"
	"log"
	"maps"
	"os"
	"runtime/pprof"
	"slices"
	"syscall"
	"time"
)

var sink int // so that no result is left out

func main() {
	all := map[string]func() func(int){}
	register := func(name string, prepare func() func(int)) { all[name] = prepare }
	scans(register)
	others(register)
	fresh(register)
	names := os.Args[2:]
	if len(names) == 0 {
		names = slices.Sorted(maps.Keys(all))
	}
	for _, name := range names {
		record(os.Args[1]+"/"+name+".pb.gz", all[name]())
	}
}

func record(file string, serve func(i int)) {
	f, err := os.Create(file)
	if err != nil {
		log.Fatal(err)
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		log.Fatal(err)
	}
	answer(serve)
	pprof.StopCPUProfile()
	if err := f.Close(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(file)
}

func answer(serve func(i int)) {
	for i, end := 0, used()+2500*time.Millisecond; i%16 != 0 || used() < end; i++ {
		serve(i)
	}
}

// used is the CPU that this process has used in user mode.
func used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		log.Fatal(err)
	}
	return time.Duration(u.Utime.Nano())
}
