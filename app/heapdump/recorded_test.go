package heapdump

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose/refs"
)

// unpack reads a recorded dump: of testdata/holders -case registry -orders 300, by the Go in its name.
func unpack(t testing.TB, file string) []byte {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestRecorded reads dumps of all versions of Go. Without the binary a global has its offset for a name.
func TestRecorded(t *testing.T) {
	files, err := filepath.Glob("testdata/recorded/*.dump.gz")
	if err != nil || len(files) != 6 {
		t.Fatalf("%v, %v; want six dumps", files, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".dump.gz")
		t.Run(name, func(t *testing.T) {
			s, err := Read(t.Context(), name, bytes.NewReader(unpack(t, file)), Options{})
			if err != nil || len(s.Warnings) > 0 || !strings.HasPrefix(s.Version, name) {
				t.Fatalf("%v, %+v", err, s)
			}
			h := s.Holders[0]
			if h.Root.Kind != refs.Global || !strings.HasPrefix(h.Root.Name, "bss+0x") || h.Bytes < 100<<10 {
				t.Errorf("first is %+v", h)
			}
			if chain := h.Parts[0].Chain; len(chain) < 2 {
				t.Errorf("chain %+v: want the slice of plugins and the auditor", chain)
			} else if got := chain[1].Offset; got != 8 {
				t.Errorf("the auditor is at offset %d, want 8: the data of an interface", got)
			}
			if s.Memory.HeapAlloc < s.Reached.Bytes || s.Memory.Sys < s.Memory.HeapSys {
				t.Errorf("%d bytes reached, memory %+v", s.Reached.Bytes, s.Memory)
			}
		})
	}
}

// TestRecordedCut cuts a real dump at some places.
func TestRecordedCut(t *testing.T) {
	whole := unpack(t, "testdata/recorded/go1.26.dump.gz")
	for n := 100_000; n < len(whole); n += len(whole) / 7 {
		s, err := Read(t.Context(), "cut", bytes.NewReader(whole[:n]), Options{})
		if err != nil || len(s.Warnings) == 0 || s.Objects == 0 {
			t.Errorf("%d bytes: %v, %+v", n, err, s)
		}
	}
}
