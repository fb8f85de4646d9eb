package cgroup

import (
	"os"
	"testing"
)

func FuzzReclaimable(f *testing.F) {
	f.Add([]byte("inactive_file 1\nactive_file 2\n"))
	f.Add([]byte("inactive_file x\ntotal_active_file 5"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if got, again := reclaimable(data), reclaimable(append([]byte("other 99\n"), data...)); got != again {
			t.Errorf("another line before changes %d into %d", got, again)
		}
	})
}

func BenchmarkBounds(b *testing.B) {
	data, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		b.Skip("no /proc here")
	}
	m, err := Find("/sys/fs/cgroup", string(data)).OpenMemory()
	if err != nil {
		b.Skip(err)
	}
	defer m.Close()
	var bounds []MemoryBound
	for _, refresh := range []bool{false, true} {
		b.Run("refresh="+map[bool]string{false: "no", true: "yes"}[refresh], func(b *testing.B) {
			for _, l := range m.levels { // as if each had a limit
				l.bound.Limit = 1
			}
			b.ReportAllocs()
			for b.Loop() {
				if bounds, err = m.Bounds(bounds[:0], refresh); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
