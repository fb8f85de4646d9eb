package store

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"os"
	"testing"
	"testing/iotest"
	"time"
)

// part is some bytes of a parcel, from one byte to before another.
func (p parcel) part(from, to int) Part {
	return Part{ID: p.c.ID, SHA256: sha256.Sum256(p.zip), Size: int64(len(p.zip)), Offset: int64(from),
		Body: bytes.NewReader(p.zip[from:to])}
}

// wantPart sends a part and wants an answer.
func wantPart(t *testing.T, s *Store, p Part, arrived int, whole bool, fails error) {
	t.Helper()
	n, done, r, err := s.AddPart(t.Context(), p)
	if int(n) != arrived || done != whole || whole && r.ID != p.ID || !errors.Is(err, fails) {
		t.Errorf("the part at %d: %d arrived, whole %t %+v, %v; want %d, %t, %v", p.Offset, n, done, r, err, arrived,
			whole, fails)
	}
	if fails != nil || whole {
		return
	}
	if have, err := s.Arrived(t.Context(), p.ID, p.SHA256); err != nil || int(have) != arrived {
		t.Errorf("%d have arrived, %v; want %d", have, err, arrived)
	}
}

// A case that comes in parts is there when the last one is, also where a part was cut short or the store opened anew:
// over PostgreSQL on another machine, too.
func TestParts(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		s, err := Open(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		p := newParcel(t, 1, "shop", finding("mem-leak", 60, "main.f"))
		n := len(p.zip)
		wantPart(t, s, p.part(0, 1000), 1000, false, nil)
		cut := p.part(1000, n)
		cut.Body = io.MultiReader(bytes.NewReader(p.zip[1000:1500]), iotest.ErrReader(io.ErrUnexpectedEOF))
		wantPart(t, s, cut, 1500, false, ErrCutShort)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if s.index.d.shared {
			cfg.Scratch = t.TempDir()
		}
		s = openStore(t, cfg)
		var other *OffsetError
		if _, _, _, err := s.AddPart(t.Context(), p.part(1000, n)); !errors.As(err, &other) || other.Have != 1500 {
			t.Errorf("a part that was sent before: %v, want that 1500 bytes are there", err)
		}
		if _, err := s.Case(t.Context(), p.c.ID); !errors.Is(err, ErrNotFound) {
			t.Errorf("a case that is there in part can be read: %v", err)
		}
		wantPart(t, s, p.part(1500, n), n, true, nil)
		if got := exported(t, s, p.c.ID); got != sha256.Sum256(p.zip) {
			t.Error("the case differs from what was sent")
		}
		if have, err := s.Arrived(t.Context(), p.c.ID, sha256.Sum256(p.zip)); have != 0 || err != nil {
			t.Errorf("parts of %d bytes are left, %v", have, err)
		}
		wantBlobs(t, s, len(p.c.Evidence))
	})
}

// wantBlobs wants so many, of evidence and of parts.
func wantBlobs(t *testing.T, s *Store, want int) {
	t.Helper()
	n := 0
	err := s.blobs.walk(t.Context(), func(blobInfo) error { n++; return nil })
	if err != nil || n != want {
		t.Errorf("there are %d blobs, %v; want %d", n, err, want)
	}
}

// What cannot be a part of a case is refused, and does not stay.
func TestPartsRefused(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		s := openStore(t, cfg)
		p := newParcel(t, 1, "shop")
		n := len(p.zip)
		beyond := p.part(0, n)
		beyond.Size = int64(n) - 1
		wantPart(t, s, beyond, 0, false, ErrInvalid)
		wrong := p.part(0, n)
		wrong.SHA256[0]++
		wantPart(t, s, wrong, n, false, ErrInvalid)
		wantPart(t, s, Part{ID: "../" + p.c.ID, Size: 1, Body: bytes.NewReader([]byte("x"))}, 0, false, ErrInvalid)
		large := p.part(0, n)
		large.MaxBytes = int64(n) - 1
		wantPart(t, s, large, 0, false, ErrTooLarge)
		files, err := os.ReadDir(cfg.Scratch)
		if err != nil || len(files) > 1 { // over SQLite that of beyond, which may go on from 0
			t.Errorf("the scratch folder has %v, %v", files, err)
		}
		wantBlobs(t, s, 0)
	})
}

// Servers on two machines that share a store get the parts of a case in turns.
func TestPartsOfTwoServers(t *testing.T) {
	cfg := postgresConfig(t)
	a := openStore(t, cfg)
	cfg.Scratch = t.TempDir()
	b := openStore(t, cfg)
	p := newParcel(t, 1, "shop")
	n := len(p.zip)
	wantPart(t, a, p.part(0, 1000), 1000, false, nil)
	wantPart(t, b, p.part(1000, 2000), 2000, false, nil)
	wantPart(t, a, p.part(2000, n-1), n-1, false, nil)
	wantPart(t, b, p.part(n-1, n), n, true, nil)
	if got := exported(t, a, p.c.ID); got != sha256.Sum256(p.zip) {
		t.Error("the case differs from what was sent")
	}
	wantBlobs(t, a, len(p.c.Evidence))
}

// Two senders of the same case, each at another server, cannot harm it: of what arrives at once the first is kept.
func TestPartsAtOnce(t *testing.T) {
	cfg := postgresConfig(t)
	a := openStore(t, cfg)
	cfg.Scratch = t.TempDir()
	b := openStore(t, cfg)
	p := newParcel(t, 1, "shop")
	n := len(p.zip)
	late := func(from, to int, meanwhile func()) error { // a part at a, while b does something
		in, out := io.Pipe()
		slow := p.part(from, to)
		slow.Body = in
		ended := make(chan error, 1)
		go func() {
			_, _, _, err := a.AddPart(t.Context(), slow)
			ended <- err
		}()
		if _, err := out.Write(p.zip[from : from+1]); err != nil {
			t.Fatal(err)
		}
		meanwhile()
		if _, err := out.Write(p.zip[from+1 : to]); err != nil {
			t.Fatal(err)
		}
		_ = out.Close()
		return <-ended
	}
	err := late(0, 1000, func() { wantPart(t, b, p.part(0, 500), 500, false, nil) })
	var other *OffsetError
	if !errors.As(err, &other) || other.Have != 500 {
		t.Errorf("the longer part that came later: %v, want that 500 bytes are there", err)
	}
	wantBlobs(t, a, 1)
	if err := late(500, 1000, func() { wantPart(t, b, p.part(500, 1000), 1000, false, nil) }); err != nil {
		t.Errorf("the same part that came later: %v", err)
	}
	if err := late(1000, n, func() { wantPart(t, b, p.part(1000, n), n, true, nil) }); err == nil {
		t.Error("a part of what the other server has taken in is taken for a whole case")
	}
	wantBlobs(t, a, len(p.c.Evidence))
	if got := exported(t, a, p.c.ID); got != sha256.Sum256(p.zip) {
		t.Error("the case differs from what was sent")
	}
}

// Parts that nobody adds to go after half an hour, and a sweep leaves those that somebody may.
func TestPartsAge(t *testing.T) {
	s := openStore(t, postgresConfig(t))
	p := newParcel(t, 1, "shop")
	now := time.Now()
	s.now = func() time.Time { return now }
	wantPart(t, s, p.part(0, 1000), 1000, false, nil)
	now = now.Add(20 * time.Minute)
	wantPart(t, s, p.part(1000, 1500), 1500, false, nil)
	now = now.Add(11 * time.Minute) // the first part is older than that
	for _, want := range []int{2, 0} {
		if _, _, err := s.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		wantBlobs(t, s, want)
		now = now.Add(20 * time.Minute)
	}
	wantPart(t, s, p.part(0, 1000), 1000, false, nil)
}

// Of two senders of the same case one is told to come back.
func TestPartsBusy(t *testing.T) {
	eachStore(t, func(t *testing.T, cfg Config) {
		s := openStore(t, cfg)
		p := newParcel(t, 1, "shop")
		in, out := io.Pipe()
		slow := p.part(0, len(p.zip))
		slow.Body = in
		ended := make(chan error, 1)
		go func() {
			_, _, _, err := s.AddPart(t.Context(), slow)
			ended <- err
		}()
		if _, err := out.Write(p.zip[:10]); err != nil { // it is at it
			t.Fatal(err)
		}
		if _, _, _, err := s.AddPart(t.Context(), p.part(0, 10)); !errors.Is(err, ErrBusy) {
			t.Errorf("a second sender: %v, want ErrBusy", err)
		}
		go func() { _, _ = out.Write(p.zip[10:]); _ = out.Close() }()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}
