package target

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"testing"
	"testing/iotest"
)

func TestReadAtMost(t *testing.T) {
	data := bytes.Repeat([]byte("0123456789"), 300_000)
	for _, limit := range []int64{0, 1, 64 << 10, 64<<10 + 1, 1 << 20, int64(len(data)), int64(len(data)) + 1} {
		got, err := readAtMost(iotest.HalfReader(bytes.NewReader(data)), limit)
		if want := data[:min(limit, int64(len(data)))]; err != nil || !bytes.Equal(got, want) {
			t.Errorf("with the limit %d there are %d bytes (%v), want %d", limit, len(got), err, len(want))
		}
	}
	broken := errors.New("broken")
	got, err := readAtMost(io.MultiReader(bytes.NewReader(data[:100]), iotest.ErrReader(broken)), 1000)
	if !errors.Is(err, broken) || len(got) != 100 {
		t.Errorf("%d bytes, %v; want 100 and what broke", len(got), err)
	}
}

// TestHostileAnswer: an answer without end takes a small multiple of what is kept of it.
func TestHostileAnswer(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got, err := readAtMost(endlessReader{}, maxProfile+1)
	runtime.ReadMemStats(&after)
	took := after.TotalAlloc - before.TotalAlloc
	if err != nil || len(got) != maxProfile+1 || took > 3*maxProfile {
		t.Errorf("%d bytes (%v) took %d MiB, want %d MiB at most", len(got), err, took>>20, 3*maxProfile>>20)
	}
	t.Logf("attack: an answer without end: %d MiB allocated", took>>20)
}

type endlessReader struct{}

func (endlessReader) Read(b []byte) (int, error) { return len(b), nil }
