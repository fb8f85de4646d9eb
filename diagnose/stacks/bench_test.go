package stacks

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/pprof/profile"
)

// syntheticCPU is a CPU profile with n random stacks of the given depth over 20,000 locations: worse than real ones,
// whose stacks share their outer frames.
func syntheticCPU(tb testing.TB, n, depth int) []byte {
	tb.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	p := &profile.Profile{
		SampleType:    []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType:    &profile.ValueType{Type: "cpu", Unit: "nanoseconds"},
		Period:        1e7,
		DurationNanos: 60e9,
	}
	packages := []string{"runtime", "net/http", "example.com/app/store", "github.com/x/y", "main"}
	for i := range 20_000 {
		pkg := packages[i%len(packages)]
		fn := &profile.Function{ID: uint64(i + 1), Name: fmt.Sprintf("%s.f%d", pkg, i/4), Filename: pkg + "/f.go"}
		p.Function = append(p.Function, fn)
		p.Location = append(p.Location, &profile.Location{ID: uint64(i + 1), Address: uint64(i + 0x400000),
			Line: []profile.Line{{Function: fn, Line: int64(i % 1000)}}})
	}
	for range n {
		s := &profile.Sample{Value: []int64{1, 1e7}}
		for range depth {
			s.Location = append(s.Location, p.Location[rng.IntN(len(p.Location))])
		}
		p.Sample = append(p.Sample, s)
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

func BenchmarkRead(b *testing.B) {
	for _, n := range []int{1_000, 100_000} {
		data := syntheticCPU(b, n, 25)
		b.Run(fmt.Sprintf("samples=%d/depth=25", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := NewTable("example.com/app").Read(Source{Name: "cpu"}, data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCumulative(b *testing.B) {
	s := mustRead(b, "cpu", syntheticCPU(b, 100_000, 25))
	b.Run("samples=100000/depth=25", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Cumulative(s, ByValue(1))
		}
	})
}

// BenchmarkDump reads a dump with debug=2 of many goroutines.
func BenchmarkDump(b *testing.B) {
	var text bytes.Buffer
	for i := range 100_000 {
		fmt.Fprintf(&text, "goroutine %d [chan receive, %d minutes]:\n", i, i%60)
		for d := range 8 {
			fmt.Fprintf(&text, "main.f%d(0xc000%d, 0x2)\n\t/src/main.go:%d +0x1d\n", (i+d)%50, i, d)
		}
		fmt.Fprintf(&text, "created by main.start in goroutine 1\n\t/src/main.go:14 +0x25\n\n")
	}
	b.Run("goroutines=100000", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := NewTable("").Read(Source{Name: "dump"}, text.Bytes()); err != nil {
				b.Fatal(err)
			}
		}
	})
}
