package instance

import (
	"context"
	"errors"
	"io"
	"runtime"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/room"
)

// TestHostileAnswer: reading an endless answer stops at the size that is kept. It uses a small multiple of that: 2.5
// times for a buffer that grows, and twice as much with the race detector.
func TestHostileAnswer(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := fetchWith(t.Context(), room.NewParty(), answer{casefile.Heap, maxProfile}, 0, time.Hour,
		func(_ context.Context, read func(io.Reader) error) error { return read(endlessReader{}) })
	runtime.ReadMemStats(&after)
	var large *tooLargeError
	took := after.TotalAlloc - before.TotalAlloc
	if !errors.As(err, &large) || took > 8*maxProfile {
		t.Errorf("%v took %d MiB, want that it is too large, and %d MiB at most", err, took>>20, 8*maxProfile>>20)
	}
	t.Logf("attack: an answer without end: %d MiB allocated", took>>20)
}

type endlessReader struct{}

func (endlessReader) Read(b []byte) (int, error) { return len(b), nil }
