package room_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/gocasebook/casebook/internal/room"
)

// What the package does not export, and promises.
const minParsing = 8 << 20

type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }

func TestReadAll(t *testing.T) {
	rng, noise := rand.New(rand.NewPCG(3, 4)), rand.NewChaCha8([32]byte{5})
	for range 50 {
		pool := room.NewPool(32 << 20)
		want := make([]byte, rng.IntN(3<<20))
		_, _ = noise.Read(want) // it never fails
		got, lease, err := pool.NewParty().ReadAll(iotest.HalfReader(bytes.NewReader(want)), int64(len(want)))
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%d bytes of %d, %v", len(got), len(want), err)
		}
		if used := pool.Used(); used < int64(len(want)) {
			t.Errorf("%d bytes are leased for %d", used, len(want))
		}
		lease.Release()
		lease.Release()
		if used := pool.Used(); used != 0 {
			t.Errorf("%d bytes are leased after the release", used)
		}
	}
}

func TestReadAllFails(t *testing.T) {
	pool := room.NewPool(8 << 20)
	party := pool.NewParty()
	var full *room.FullError
	if _, _, err := party.ReadAll(endless{}, 1<<30); !errors.As(err, &full) ||
		!strings.Contains(err.Error(), "may take 8 MiB") {
		t.Errorf("an endless answer: %v", err)
	}
	if _, _, err := party.ReadAll(endless{}, 1<<20); !errors.Is(err, room.ErrTooLarge) {
		t.Errorf("more than its limit: %v", err)
	}
	if _, _, err := party.ReadAll(iotest.ErrReader(io.ErrUnexpectedEOF), 1<<20); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a reader that fails: %v", err)
	}
	if used := pool.Used(); used != 0 {
		t.Errorf("%d bytes are leased after three failures", used)
	}
}

// TestUse: answers of any sizes come whole, one after the other and at the same time, and leave no room taken.
func TestUse(t *testing.T) {
	pool, noise := room.NewPool(64<<20), rand.NewChaCha8([32]byte{6})
	want := make([]byte, 3<<20)
	_, _ = noise.Read(want) // it never fails
	party, buffers := pool.NewParty(), new(room.Buffers)
	var all sync.WaitGroup
	for k := range 4 {
		all.Go(func() {
			rng := rand.New(rand.NewPCG(7, uint64(k)))
			for range 50 {
				n := rng.IntN(1 << (4 + rng.IntN(17)))
				r := iotest.HalfReader(bytes.NewReader(want[:n]))
				err := party.Use(buffers, r, int64(n), func(got []byte) error {
					if !bytes.Equal(got, want[:n]) {
						t.Errorf("%d bytes came, want %d, or others", len(got), n)
					}
					return io.ErrShortBuffer
				})
				if !errors.Is(err, io.ErrShortBuffer) {
					t.Errorf("the error is %v, want that of use", err)
				}
			}
		})
	}
	all.Wait()
	for _, c := range []struct {
		r    io.Reader
		want error
	}{{endless{}, room.ErrTooLarge}, {iotest.ErrReader(io.ErrUnexpectedEOF), io.ErrUnexpectedEOF}} {
		if err := party.Use(buffers, c.r, 1<<20, func([]byte) error { return nil }); !errors.Is(err, c.want) {
			t.Errorf("%v, want %v", err, c.want)
		}
	}
	if used := pool.Used(); used != 0 {
		t.Errorf("%d bytes are taken after all", used)
	}
}

// When a caller forgets to release, the collector returns the room.
func TestForgottenRelease(t *testing.T) {
	pool := room.NewPool(8 << 20)
	if _, _, err := pool.NewParty().ReadAll(bytes.NewReader(make([]byte, 1<<20)), 1<<20); err != nil {
		t.Fatal(err)
	}
	for pool.Used() != 0 { // until the cleanup has run
		runtime.GC()
	}
}

func TestGate(t *testing.T) {
	g, in, wait := room.NewGate(), 0, sync.WaitGroup{}
	for range 100 {
		wait.Go(func() {
			if err := g.Do(t.Context(), func() { in++ }); err != nil { // the race detector sees two at a time
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if in != 100 {
		t.Errorf("%d went through, want 100", in)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err := g.Do(ctx, func() {
		cancel()
		if err := g.Do(ctx, func() { t.Error("two are in at a time") }); !errors.Is(err, context.Canceled) {
			t.Errorf("waiting without patience: %v", err)
		}
	})
	if err != nil {
		t.Error(err)
	}
}

// What may be parsed follows the memory limit.
func TestParsingFollowsTheLimit(t *testing.T) {
	old := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(old)
	debug.SetMemoryLimit(240 << 20)
	if got := room.Parsing(); got != 20<<20 && room.Cgroup() == 0 {
		t.Errorf("in 240 MiB %d bytes may be parsed, want 20 MiB", got)
	}
	debug.SetMemoryLimit(1 << 20)
	if got := room.Parsing(); got != minParsing {
		t.Errorf("in 1 MiB %d bytes may be parsed, want the least, %d", got, minParsing)
	}
}
