package stage

import (
	"strings"
	"testing"
)

// TestIOCount reads lines of /proc/PID/io by their whole names.
func TestIOCount(t *testing.T) {
	const text = "rchar: 1\nwchar: 5240\nsyscw: 7\nwrite_bytes: 4096\ncancelled_write_bytes: 9\n"
	for name, want := range map[string]float64{"wchar": 5240, "write_bytes": 4096, "bytes": 0} {
		if got := ioCount(text, name); got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
}

// A service that does not say how many bytes it has worked on, though it should, ends the measurement.
func TestNoBytes(t *testing.T) {
	s := start(t, "consumer", Config{Bytes: "/nowhere"})
	if _, err := s.Measure(t.Context(), 1, nil); err == nil || !strings.Contains(err.Error(), "bytes at /nowhere") {
		t.Errorf("error is %v", err)
	}
}
