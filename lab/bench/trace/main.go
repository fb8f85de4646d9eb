// Command trace measures what reading a large execution trace takes. In lab:
//
//	go run ./bench/trace -size 1000            # MB; writes a trace into a temporary folder, reads it, prints both
//	go run ./bench/trace -read trace.out       # reads one that you have
//
// The trace is of a server of HTTP under load and of goroutines that hand each other work, in another process, so that
// the memory of this one is the reader's.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"

	xtrace "golang.org/x/exp/trace"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/app/trace"
	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/internal/number"
)

func main() {
	size := flag.Int64("size", 100, "`MB` of the trace that is made")
	read := flag.String("read", "", "read this `file`, and make none")
	write := flag.String("write", "", "only make a trace, in this `file`")
	flag.Parse()
	if err := run(*size<<20, *read, *write); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(size int64, read, write string) error {
	if write != "" {
		return makeTrace(write, size)
	}
	if read == "" {
		dir, err := os.MkdirTemp("", "casebook-trace")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		read = filepath.Join(dir, "trace.out")
		if err := makeElsewhere(read, size); err != nil {
			return err
		}
	}
	return measure(read)
}

// makeElsewhere makes a trace in another process.
func makeElsewhere(file string, size int64) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self, "-write", file, "-size", strconv.FormatInt(size>>20, 10))
	cmd.Stderr = os.Stderr
	return cmd.Run()
}

// measure reads a trace as `casebook trace` does, and then once more without making tables of it.
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
	t, err := trace.Read(context.Background(), file, f)
	if err != nil {
		return err
	}
	all, err := self.Next()
	if err != nil {
		return err
	}
	s := t.Summary()
	fmt.Printf("%s, %d events over %s, %s\n", number.Bytes(float64(info.Size())), s.Events, number.Duration(s.Span),
		runtime.Version())
	for _, w := range s.Warnings {
		fmt.Println("warning:", w)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if err := decode(f); err != nil {
		return err
	}
	decoding, err := self.Next()
	if err != nil {
		return err
	}
	row := func(what string, u prove.Usage) {
		mb := float64(info.Size()) / 1e6
		fmt.Printf("%-12s %6.1f MB/s of CPU, %6.1f MB/s on the clock\n", what, mb/u.CPUSeconds, mb/u.Seconds)
	}
	row("all tables", all)
	row("decoding", decoding)
	fmt.Printf("peak memory of all tables: %s\n", number.Bytes(float64(all.PeakRSS)))
	return sizes(s)
}

// sizes prints how large the summary is as JSON, and its lanes.
func sizes(s *traces.Summary) error {
	whole, err := json.Marshal(s)
	if err != nil {
		return err
	}
	s.Lanes = nil
	for i := range s.Slowest {
		s.Slowest[i].Course = nil
	}
	without, err := json.Marshal(s)
	fmt.Printf("summary: %s of JSON, lanes and courses are %s of it\n", number.Bytes(float64(len(whole))),
		number.Bytes(float64(len(whole)-len(without))))
	return err
}

// decode reads all events with the library alone.
func decode(f io.Reader) error {
	r, err := xtrace.NewReader(f)
	if err != nil {
		return err
	}
	for {
		if _, err := r.ReadEvent(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}
