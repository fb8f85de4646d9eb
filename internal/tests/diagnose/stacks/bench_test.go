package stacks_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/profiletest"
)

func BenchmarkRead(b *testing.B) {
	for _, n := range []int{1_000, 100_000, 1_000_000} {
		data := profiletest.CPU(b, n, 35)
		b.Run(fmt.Sprintf("samples=%d/depth=35", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := stacks.NewTable("example.com/app").Read(stacks.Source{Name: "cpu"}, data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkDump reads dumps with debug=2 of many goroutines.
func BenchmarkDump(b *testing.B) {
	for _, n := range []int{100_000, 500_000} {
		text := dumpOf(n)
		b.Run(fmt.Sprintf("goroutines=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				set, err := stacks.NewTable("").Read(stacks.Source{Name: "dump"}, text)
				if err != nil || set.Cut != "" {
					b.Fatal(err, set.Cut)
				}
			}
		})
	}
}

// dumpOf is a dump of n goroutines with stacks of eight frames, a few hundred of them distinct.
func dumpOf(n int) []byte {
	var text bytes.Buffer
	for i := range n {
		fmt.Fprintf(&text, "goroutine %d [chan receive, %d minutes]:\n", i, i%60)
		for d := range 8 {
			fmt.Fprintf(&text, "main.f%d(0xc000%d, 0x2)\n\t/src/main.go:%d +0x1d\n", (i+d)%50, i, d)
		}
		fmt.Fprintf(&text, "created by main.start in goroutine 1\n\t/src/main.go:14 +0x25\n\n")
	}
	return text.Bytes()
}
