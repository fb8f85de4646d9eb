package room

import (
	"bytes"
	"context"
	"io"
	"runtime"
	"sync"
	"testing"
)

type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }

// Parties that take all they can get leave room for one more, whatever they do and however many they are.
func TestAlwaysRoomForAnother(t *testing.T) {
	for _, n := range []int{1, 10, 100} {
		pool := NewPool(64 << 20)
		all := make([]*Party, n+1)
		for i := range all {
			all[i] = pool.NewParty()
		}
		for _, greedy := range all[:n] {
			for greedy.take(firstChunk) {
			}
		}
		if used := pool.Used(); used > pool.size {
			t.Errorf("%d parties hold %d of %d bytes", n, used, pool.size)
		}
		want := int(pool.size) / 2 / (n + 1) / 4 // pieces are joined at the end, and the last one is not full
		data, lease, err := all[n].ReadAll(bytes.NewReader(make([]byte, want)), 64<<20)
		if err != nil || len(data) != want {
			t.Errorf("beside %d greedy parties an answer of %d bytes: %v", n, want, err)
		}
		lease.Release()
	}
}

// Many requests of one target get no more than one request gets.
func TestOneTargetCountsOnce(t *testing.T) {
	pool := NewPool(16 << 20)
	hostile, other := pool.NewParty(), pool.NewParty()
	var wait sync.WaitGroup
	for range 50 {
		wait.Go(func() {
			_, _, _ = hostile.ReadAll(io.MultiReader(io.LimitReader(endless{}, 2<<20), stuck{t.Context()}), 64<<20)
		})
	}
	for pool.Used() < 4<<20 { // some are refused, the others keep what they have
		runtime.Gosched()
	}
	if held := pool.Used(); held > pool.size*5/8 { // with one other party: its part, and half of what is shared
		t.Errorf("one target holds %d of %d bytes", held, pool.size)
	}
	if _, _, err := other.ReadAll(bytes.NewReader(make([]byte, 1<<20)), 64<<20); err != nil {
		t.Errorf("another's answer of 1 MiB: %v", err)
	}
}

// stuck answers when its context ends; the context of a test ends just before its cleanup.
type stuck struct{ ctx context.Context }

func (s stuck) Read([]byte) (int, error) {
	<-s.ctx.Done()
	return 0, io.EOF
}
