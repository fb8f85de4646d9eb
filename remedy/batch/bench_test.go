package batch

import (
	"bufio"
	"context"
	"io"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"
)

// BenchmarkLone is one caller, one item after another: the operation alone, and through Add. What Add adds is the price
// of a Batcher without load.
func BenchmarkLone(b *testing.B) {
	for _, kind := range []string{"none", "rtt"} {
		op := operation(b, kind)
		b.Run("op="+kind+"/way=direct", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				op()
			}
		})
		b.Run("op="+kind+"/way=add", func(b *testing.B) {
			bt := mustNew(b, Config[int]{Flush: func(context.Context, []int) error { op(); return nil }})
			b.ReportAllocs()
			for b.Loop() {
				if err := bt.Add(b.Context(), 1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkIdle is Batchers that were used and are idle: what making, using and stopping one costs, and the goroutines
// (must be 0) and bytes of each of 1,000 idle ones.
func BenchmarkIdle(b *testing.B) {
	b.Run("new-add-stop", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			bt, err := New(Config[int]{Flush: nothing[int]})
			if err != nil {
				b.Fatal(err)
			}
			_ = bt.Add(b.Context(), 1)
			_ = bt.Stop(b.Context())
		}
	})
	b.Run("at-rest", func(b *testing.B) {
		const many = 1000
		for b.Loop() {
			goroutines, before := runtime.NumGoroutine(), heap()
			all := make([]*Batcher[int], many)
			for i := range all {
				all[i], _ = New(Config[int]{Flush: nothing[int]})
				_ = all[i].Add(b.Context(), 1)
			}
			bytes := heap() - before // two collections: the pools are empty
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(runtime.NumGoroutine()-goroutines)/many, "goroutines")
			b.ReportMetric(float64(bytes)/many, "B/batcher")
			runtime.KeepAlive(all)
		}
	})
	b.Run("stats", func(b *testing.B) {
		bt := mustNew(b, Config[int]{Flush: nothing[int]})
		b.ReportAllocs()
		for b.Loop() {
			bt.Stats()
		}
	})
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// BenchmarkSaturated is as many items as 64 callers add without a pause, with an operation that costs nothing: what an
// item costs in the Batcher.
func BenchmarkSaturated(b *testing.B) {
	for _, way := range []string{"add", "put"} {
		b.Run("way="+way, func(b *testing.B) {
			bt := mustNew(b, Config[int]{Flush: nothing[int]})
			do := bt.Add
			if way == "put" {
				do = bt.Put
			}
			b.ReportAllocs()
			b.SetParallelism(64 / runtime.GOMAXPROCS(0))
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if err := do(context.Background(), 1); err != nil {
						b.Error(err)
					}
				}
			})
			s := bt.Stats()
			b.ReportMetric(float64(s.Items)/float64(max(s.Flushes, 1)), "items/flush")
		})
	}
}

// BenchmarkWriter is lines of 100 bytes to a file, from 8 goroutines: with one write each, through a bufio.Writer and a
// mutex (no bound on the delay), and through a Writer.
func BenchmarkWriter(b *testing.B) {
	line := make([]byte, 100)
	for i := range line {
		line[i] = 'x'
	}
	line[99] = '\n'
	for _, way := range []string{"direct", "bufio", "batch"} {
		b.Run("way="+way, func(b *testing.B) {
			f, err := os.CreateTemp(b.TempDir(), "log")
			if err != nil {
				b.Fatal(err)
			}
			defer f.Close()
			c := &counter{to: f}
			var w io.Writer = c
			end := func() error { return nil }
			switch way {
			case "bufio":
				bw := bufio.NewWriterSize(c, DefaultWriterBytes)
				w, end = &locked{w: bw}, bw.Flush
			case "batch":
				bw := newWriter(b, c, WriterConfig{})
				w, end = bw, bw.Close
			}
			b.ReportAllocs()
			b.SetBytes(int64(len(line)))
			b.SetParallelism(8 / runtime.GOMAXPROCS(0))
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if _, err := w.Write(line); err != nil {
						b.Error(err)
					}
				}
			})
			if err := end(); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.N)/float64(c.calls), "lines/syscall")
		})
	}
}

// BenchmarkWriterLone is one line every 3 ms, longer than MaxDelay: the cost of a Write that comes alone.
func BenchmarkWriterLone(b *testing.B) {
	f, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	line := make([]byte, 100)
	for _, way := range []string{"direct", "batch"} {
		b.Run("way="+way, func(b *testing.B) {
			var w io.Writer = f
			if way == "batch" {
				w = newWriter(b, f, WriterConfig{})
			}
			var took time.Duration
			n := 0
			for b.Loop() {
				time.Sleep(3 * time.Millisecond)
				began := time.Now()
				if _, err := w.Write(line); err != nil {
					b.Fatal(err)
				}
				took += time.Since(began)
				n++
			}
			b.ReportMetric(float64(took.Nanoseconds())/float64(n), "ns/write")
		})
	}
}

type counter struct {
	mu    sync.Mutex
	to    io.Writer
	calls int
}

func (c *counter) Write(p []byte) (int, error) {
	c.mu.Lock()
	c.calls++
	c.mu.Unlock()
	return c.to.Write(p)
}

type locked struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}
