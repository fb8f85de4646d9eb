package diagnose_test

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/profiletest"
)

// BenchmarkRun reads a profile and runs every detector on it.
func BenchmarkRun(b *testing.B) {
	for _, n := range []int{100_000, 1_000_000} {
		cpu := profiletest.CPU(b, n, 35)
		for _, c := range []struct {
			kind string
			data []byte
		}{{"cpu", cpu}, {"heap", heapLike(b, cpu)}} {
			b.Run(fmt.Sprintf("kind=%s/samples=%d/depth=35", c.kind, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					rep := diagnose.Run(b.Context(), diagnose.Input{Evidence: []diagnose.Evidence{{Name: c.kind, Data: c.data}}},
						diagnose.Options{})
					if len(rep.Problems)+len(rep.Failed) > 0 {
						b.Fatal(rep.Problems, rep.Failed)
					}
				}
			})
		}
	}
}

// TestLargeHeapProfile holds what diagnosing allocates for each sample of a heap profile: a set of functions made anew for
// each was 63 kB of them.
func TestLargeHeapProfile(t *testing.T) {
	const samples, most = 10_000, 10 << 10 // bytes a sample: 35 frames, and what each of a hundred kinds adds up
	data := heapLike(t, profiletest.CPU(t, samples, 35))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	rep := diagnose.Run(t.Context(), diagnose.Input{Evidence: []diagnose.Evidence{{Name: "heap", Data: data}}},
		diagnose.Options{})
	runtime.ReadMemStats(&after)
	if len(rep.Problems)+len(rep.Failed) > 0 {
		t.Fatal(rep.Problems, rep.Failed)
	}
	if each := (after.TotalAlloc - before.TotalAlloc) / samples; each > most {
		t.Errorf("%d bytes are allocated for each sample, want %d at most", each, most)
	} else {
		t.Logf("%d bytes a sample", each)
	}
}

// heapLike makes a heap profile of the stacks of a CPU profile.
func heapLike(tb testing.TB, cpu []byte) []byte {
	tb.Helper()
	p, err := profile.ParseData(cpu)
	if err != nil {
		tb.Fatal(err)
	}
	p.SampleType = nil
	for _, t := range [][2]string{{"alloc_objects", "count"}, {"alloc_space", "bytes"}, {"inuse_objects", "count"},
		{"inuse_space", "bytes"}} {
		p.SampleType = append(p.SampleType, &profile.ValueType{Type: t[0], Unit: t[1]})
	}
	p.PeriodType, p.Period = &profile.ValueType{Type: "space", Unit: "bytes"}, 512<<10
	for i, s := range p.Sample {
		objects := int64(1 + i%7)
		s.Value = []int64{2 * objects, 128 * objects, objects, 64 * objects}
	}
	var out bytes.Buffer
	if err := p.Write(&out); err != nil {
		tb.Fatal(err)
	}
	return out.Bytes()
}
