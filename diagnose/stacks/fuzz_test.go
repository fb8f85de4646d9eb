package stacks

import (
	"errors"
	"testing"

	"github.com/gocasebook/casebook/internal/checkout"
)

// FuzzRead: any bytes give a consistent set, or a *Problem with a reason and a next step. The seeds are one file of
// every kind and form, and files that people pass by mistake. Labels are read, and change nothing else.
func FuzzRead(f *testing.F) {
	for _, pattern := range []string{"cpu_hot_function/fault", "gc_pointer_heap/healthy", "goroutine_surge/*",
		"lock_contention/*"} {
		names, err := checkout.Evidence(f).Cases(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, name := range names {
			files := checkout.Case(f, name)
			for _, file := range files.Names() {
				f.Add(files[file])
				if out, p := decompress(files[file], MaxProfile); p == nil && len(out) < 32<<10 {
					f.Add(out)
				}
			}
		}
	}
	for _, text := range []string{dumpText, "<html>", "goroutine profile: total 1\n1 @ " +
		"0x1\n#\t0x1\tmain.f+0x1\tm.go:1\n\n",
		"heap profile: 1: 32 [5: 160] @ heap/1048576\n1: 32 [5: 160] @ 0x1\n#\t0x1\tmain.f+0x1\tm.go:1\n\n# " +
			"runtime.MemStats\n# NumGC = 7\n",
		"--- mutex:\ncycles/second=1000\nsampling period=1\n12 3 @ 0x1\n#\t0x1\tsync.(*Mutex).Unlock+0x1\tm.go:1\n"} {
		f.Add([]byte(text))
	}
	f.Add(labelled(f, nil, text("endpoint", "/a", "/b"), numbers("bytes", "kb", 7), numbers("bytes", "", -512)))
	f.Fuzz(func(t *testing.T, b []byte) {
		plain, _ := NewTable("example.com/app").Read(Source{Name: "fuzz"}, b)
		s, err := NewTable("example.com/app").Read(Source{Name: "fuzz", Labels: &Labels{"bytes", "endpoint"}}, b)
		if (err == nil) != (plain != nil) || err == nil && len(s.Samples) != len(plain.Samples) {
			t.Fatalf("labels change what is read: %v", err)
		}
		if err != nil {
			var p *Problem
			if !errors.As(err, &p) || p.Reason == "" || p.Next == "" {
				t.Fatalf("error %v, want a *Problem with reason and next step", err)
			}
			return
		}
		for i := range s.Samples {
			sample := &s.Samples[i]
			if len(sample.Values) != len(s.Types) {
				t.Fatalf("sample %d has %d values for %d types", i, len(sample.Values), len(s.Types))
			}
			for _, id := range sample.Stack {
				s.Table.Func(id) // panics on an ID that is not in the table
			}
			s.Wait(i)
		}
		if s.Goroutines != nil && len(s.Goroutines) != len(s.Samples) {
			t.Fatalf("%d goroutine records for %d samples", len(s.Goroutines), len(s.Samples))
		}
	})
}
