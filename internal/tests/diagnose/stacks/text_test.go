package stacks_test

import (
	"bytes"
	"math"
	"runtime"
	"runtime/pprof"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

const heapText = `heap profile: 2: 1049600 [4: 2099200] @ heap/1048576
1: 1024 [2: 2048] @ 0x52f1c5 0x52f0e5
#	0x52f1c4	main.small+0x24	/src/my app/main.go:10
#	0x52f0e4	main.main+0x4	/src/my app/main.go:5

1: 1048576 [2: 2097152] @ 0x52f1d5
#	0x52f1d4	main.large+0x24	/src/my app/main.go:20

nonsense [ @ 0x1

# runtime.MemStats
# NumGC = 7
# GCCPUFraction = 0.25
`

func TestHeapText(t *testing.T) {
	s := mustRead(t, "heap.txt", []byte(heapText))
	if s.Period != 512<<10 {
		t.Errorf("sampled every %d bytes, want half of what the header says", s.Period)
	}
	if s.Stats["NumGC"] != 7 || s.Stats["GCCPUFraction"] != 0.25 {
		t.Errorf("stats %v, want 7 collections and a quarter of the CPU", s.Stats)
	}
	if len(s.Samples) != 2 || !strings.Contains(s.Cut, "1 records") {
		t.Fatalf("%d samples, cut %q; want two and one record that was not readable", len(s.Samples), s.Cut)
	}
	// One sampled object of 1 KiB stands for 1/(1−exp(−1/512)) of them, one of 1 MiB for 1.16.
	inuse := s.Value("inuse_objects", "count")
	if got := s.Samples[0].Values[inuse]; got != 512 {
		t.Errorf("%d small objects, want 512", got)
	}
	space := s.Value("inuse_space", "bytes")
	if got := float64(s.Samples[1].Values[space]); math.Abs(got/(1<<20)-1.1565) > 0.001 {
		t.Errorf("%.0f bytes in large objects, want 1.1565 MiB", got)
	}
	f := s.Samples[0].Stack[0]
	if fn := s.Table.Func(f); fn.Name != "main.small" || fn.File != "/src/my app/main.go" || s.Table.Line(f) != 10 {
		t.Errorf("%s %s:%d, want main.small /src/my app/main.go:10", fn.Name, fn.File, s.Table.Line(f))
	}
}

// TestHeapForms: the text and the protobuf of one heap agree.
func TestHeapForms(t *testing.T) {
	keep := make([][]byte, 4000)
	for i := range keep {
		keep[i] = make([]byte, 4096)
	}
	runtime.GC()
	runtime.GC() // the profile shows the heap as of the last cycle that ended before the latest began
	total := func(debug int) float64 {
		var b bytes.Buffer
		if err := pprof.Lookup("heap").WriteTo(&b, debug); err != nil {
			t.Fatal(err)
		}
		s := mustRead(t, "heap", b.Bytes())
		i := s.Value("inuse_space", "bytes")
		sum := float64(s.Total(stacks.ByValue(i)))
		if s.Observed != nil {
			sum += float64(s.Observed[i])
		}
		return sum
	}
	proto, text := total(0), total(1)
	if proto < 8<<20 || math.Abs(text-proto) > 0.05*proto {
		t.Errorf("%.0f bytes live by protobuf, %.0f by text; want the 16 MiB that are kept, within 5 %% of each other",
			proto, text)
	}
	runtime.KeepAlive(keep)
}

func TestMutexText(t *testing.T) {
	text := "--- mutex:\ncycles/second=2000000000\nsampling period=10\n4000000000 3 @ 0x1 " +
		"0x2\n#\t0x1\tsync.(*Mutex).Unlock+0x1\t/go/src/sync/mutex.go:223\n#\t0x2\tmain.f+0x2\t/src/main.go:9\n"
	s := mustRead(t, "mutex.txt", []byte(text))
	if len(s.Samples) != 1 || s.Samples[0].Values[0] != 3 || s.Samples[0].Values[1] != 2e9 {
		t.Fatalf("got %+v, want 3 waits of 2 s in all", s.Samples)
	}
	if s.Samples[0].Class != stacks.Lock {
		t.Errorf("class %v, want %v", s.Samples[0].Class, stacks.Lock)
	}
}
