package heapdump

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/diagnose/refs"
	"github.com/gocasebook/casebook/internal/archive"
	"github.com/gocasebook/casebook/internal/checkout"
)

// recorded are dumps of testdata/holders -case registry -orders 300, by the Go they were recorded with: go1.26.dump.
func recorded(t testing.TB) archive.Files {
	t.Helper()
	checkout.Need(t)
	dumps, err := archive.ReadArchive("testdata/recorded.tar.zst")
	if err != nil {
		t.Fatal(err)
	}
	return dumps
}

// TestRecorded reads dumps of all versions of Go. Without the binary a global has its offset for a name.
func TestRecorded(t *testing.T) {
	dumps := recorded(t)
	if len(dumps) != 6 {
		t.Fatalf("%d dumps, want six", len(dumps))
	}
	for file, dump := range dumps {
		name := strings.TrimSuffix(file, ".dump")
		t.Run(name, func(t *testing.T) {
			s, err := Read(t.Context(), name, bytes.NewReader(dump), Options{})
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
	whole := recorded(t)["go1.26.dump"]
	for n := 100_000; n < len(whole); n += len(whole) / 7 {
		s, err := Read(t.Context(), "cut", bytes.NewReader(whole[:n]), Options{})
		if err != nil || len(s.Warnings) == 0 || s.Objects == 0 {
			t.Errorf("%d bytes: %v, %+v", n, err, s)
		}
	}
}
