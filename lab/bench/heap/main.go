// Command heap measures what a heap dump costs the process that writes it, and what reading it takes. In lab:
//
//	go run ./bench/heap -size 1024            # MiB of heap; dumps a process with it, reads that, prints both
//	go run ./bench/heap -read heap.dump       # reads one that you have
//
// The process is another one, so that the memory of this one is the reader's.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/gocasebook/casebook/app/heapdump"
	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/internal/number"
)

func main() {
	size := flag.Int("size", 1024, "`MiB` of the heap that is dumped")
	read := flag.String("read", "", "read this `file`, and make none")
	write := flag.String("write", "", "only write a dump, into this `file`")
	flag.Parse()
	if err := run(*size, *read, *write); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(size int, read, write string) error {
	if write != "" {
		return dump(write, size)
	}
	if read == "" {
		dir, err := os.MkdirTemp("", "casebook-heap")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		read = filepath.Join(dir, "heap.dump")
		if err := dumpElsewhere(read, size); err != nil {
			return err
		}
	}
	return measure(read)
}

// dumpElsewhere makes a dump in another process.
func dumpElsewhere(file string, size int) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self, "-write", file, "-size", strconv.Itoa(size))
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}

// measure reads a dump as `casebook heap` does.
func measure(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	self, err := prove.NewSampler(os.Getpid())
	if err != nil {
		return err
	}
	s, err := heapdump.Read(context.Background(), file, f, heapdump.Options{})
	if err != nil {
		return err
	}
	used, err := self.Next()
	if err != nil {
		return err
	}
	fmt.Printf("dump: %s, %d objects\n", number.Bytes(float64(info.Size())), s.Objects)
	fmt.Printf("reading: %.1f s on the clock, %.1f s of CPU: %.0f MB/s\n", used.Seconds, used.CPUSeconds,
		float64(info.Size())/1e6/used.CPUSeconds)
	fmt.Printf("peak memory: %s\n", number.Bytes(float64(used.PeakRSS)))
	for _, w := range s.Warnings {
		fmt.Println("warning:", w)
	}
	return nil
}
