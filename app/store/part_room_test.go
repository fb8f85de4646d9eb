package store

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// begun is the first part of a case that somebody sends, of so many bytes.
func begun(sender string, size int64, body io.Reader) Part {
	return Part{ID: casefile.NewID(time.Now(), "gc-cpu"), Size: size, Body: body, Sender: sender}
}

// held is how many uploads there are, and how many of them are of a sender.
func held(t *testing.T, s *Store, sender string) (all, own int) {
	t.Helper()
	list, err := s.heldUploads(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range list {
		if u.sender == sender {
			own++
		}
	}
	return len(list), own
}

// One sender that begins as many uploads as there may be keeps no other out, and gives none of theirs up: those of its
// own go that got nothing for longest. So do those of many senders who fill all the room.
func TestPartsShare(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		s := openStore(t, cfg)
		first := newParcel(t, 1, "shop")
		of := func(p Part, sender string) Part { p.Sender = sender; return p }
		wantPart(t, s, of(first.part(0, 1000), "watch"), 1000, false, nil)
		for range maxParts {
			wantPart(t, s, begun("greedy", 100, strings.NewReader("x")), 1, false, nil)
		}
		if _, own := held(t, s, "greedy"); own != maxParts/partShare {
			t.Errorf("one sender has %d uploads, want %d", own, maxParts/partShare)
		}
		wantPart(t, s, of(first.part(1000, 1500), "watch"), 1500, false, nil)
		for i := range maxParts + 10 {
			wantPart(t, s, begun("address "+string(rune('A'+i)), 100, strings.NewReader("x")), 1, false, nil)
		}
		all, own := held(t, s, "greedy")
		if all != maxParts || own > 1 {
			t.Errorf("there are %d uploads, %d of the sender of most; want %d, and no more than others have", all, own, maxParts)
		}
		second := newParcel(t, 2, "shop")
		n := len(second.zip)
		wantPart(t, s, of(second.part(0, 1000), "watch"), 1000, false, nil)
		wantPart(t, s, of(second.part(1000, n), "watch"), n, true, nil)
	})
}

// What is there in part stays within its bound while it arrives, from however many senders at once.
func TestPartsBoundWhileArriving(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		s := openStore(t, cfg)
		s.parts.most = 8 * partChunk
		const senders, each = 8, 3 * partChunk
		var all sync.WaitGroup
		stalled, leave := make(chan struct{}, senders), make(chan struct{})
		refused := make(chan error, senders)
		for i := range senders {
			all.Go(func() {
				body := io.MultiReader(bytes.NewReader(make([]byte, each)), stall{stalled, leave})
				_, _, _, err := s.AddPart(t.Context(), begun(string(rune('a'+i)), 2*each, body))
				if errors.Is(err, ErrBusy) {
					refused <- err
				} else if err != nil {
					t.Error(err)
				}
			})
		}
		for n := 0; n < senders; n++ {
			select {
			case <-stalled:
			case <-refused:
			}
		}
		list, err := s.heldUploads(t.Context())
		var bytes int64
		for _, u := range list {
			bytes += u.bytes
		}
		if err != nil || bytes > s.parts.most {
			t.Errorf("%d bytes are there in part, %v; want %d at most", bytes, err, s.parts.most)
		}
		close(leave)
		all.Wait()
		t.Logf("attack: %d senders of %d MiB at once where %d may be there in part: %d MiB were", senders, each>>20,
			s.parts.most>>20, bytes>>20)
	})
}

// stall says that all before it was read, and ends when it is told to.
type stall struct{ reached, leave chan struct{} }

func (s stall) Read([]byte) (int, error) {
	s.reached <- struct{}{}
	<-s.leave
	return 0, io.EOF
}

// A folder of parts is tidied without anybody who asks.
func TestPartsTidied(t *testing.T) {
	cfg := sqliteConfig(t)
	s := openStore(t, cfg)
	p := newParcel(t, 1, "shop")
	wantPart(t, s, p.part(0, 1000), 1000, false, nil)
	for _, c := range []struct {
		after time.Duration
		want  int
	}{{partAge - time.Minute, 1}, {partAge + time.Minute, 0}} {
		s.now = func() time.Time { return time.Now().Add(c.after) }
		if err := s.tidyPartsOnce(t.Context()); err != nil {
			t.Fatal(err)
		}
		if files, err := os.ReadDir(cfg.Scratch); err != nil || len(files) != c.want {
			t.Errorf("%s after the last part there are %v, %v", c.after, files, err)
		}
	}
}
