package casefile

import (
	"bytes"
	"fmt"
	"testing"
)

// BenchmarkCase writes a case of four files, from Create to Commit, with every fsync that makes it last.
func BenchmarkCase(b *testing.B) {
	for _, size := range []int{4 << 10, 1 << 20} {
		b.Run(fmt.Sprintf("size=%dk", size>>10), func(b *testing.B) {
			dir := b.TempDir()
			data := bytes.Repeat([]byte("evidence"), size/8)
			b.ReportAllocs()
			b.SetBytes(4 * int64(size))
			for b.Loop() {
				w, err := Dir(dir).Create(newCase())
				if err != nil {
					b.Fatal(err)
				}
				for i := range 4 {
					if err := w.Add(evidence(fmt.Sprint(i)), data); err != nil {
						b.Fatal(err)
					}
				}
				if _, err := w.Commit(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkDecode reads a case.json of ordinary size, and the one that costs the most memory of those that are
// accepted.
func BenchmarkDecode(b *testing.B) {
	ordinary := sampleCase()
	data, err := encode(&ordinary)
	if err != nil {
		b.Fatal(err)
	}
	worst := minimal[:len(minimal)-1] + `,"findings":[{}` + string(bytes.Repeat([]byte(",{}"), maxCaseCommas-2)) + `]}`
	for _, in := range []struct{ name, data string }{{"ordinary", string(data)}, {"worst", worst}} {
		b.Run("case="+in.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Decode([]byte(in.data)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
