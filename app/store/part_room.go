package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gocasebook/casebook/internal/flock"
)

// What is there in part is bounded while it arrives, not when an upload begins: before each chunk is received it is
// reserved. Whoever has more than a share loses the upload that got nothing for longest, and so does whoever has most
// when there is no room for others. Only uploads of which nothing arrives at the moment are given up.
//
// Over a database that servers on several machines share, each reserves what arrives at itself: while all of them receive
// there may be a chunk more for each upload.
const (
	maxParts   = 64      // zips that are there in part
	maxPartial = 4 << 30 // bytes of them
	partShare  = 4       // one sender has so many times less; a single zip may be larger than that
	partChunk  = 1 << 20 // bytes that are reserved at a time
	partAge    = 30 * time.Minute
)

// errPartial is the answer of a sender who is to come back.
var errPartial = fmt.Errorf("%w: too many cases have arrived in part", ErrBusy)

// partRoom knows the uploads of this process.
type partRoom struct {
	turn chan struct{} // holds one while somebody looks for room

	mu       sync.Mutex        // guards what follows
	senders  map[string]string // of the last part of an upload, by its key
	arriving map[string]int64  // bytes that are reserved for an upload of which a part arrives
	most     int64             // maxPartial; tests have less
}

func newPartRoom() *partRoom {
	return &partRoom{turn: make(chan struct{}, 1), senders: map[string]string{}, arriving: map[string]int64{},
		most: maxPartial}
}

// errArriving is the answer of who sends the same as another does at this moment.
var errArriving = fmt.Errorf("%w: another part of this case is arriving", ErrBusy)

// begin notes that a part of an upload arrives, and end that it does not any more.
func (r *partRoom) begin(key, sender string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, arrives := r.arriving[key]; arrives {
		return errArriving
	}
	r.senders[key], r.arriving[key] = sender, 0
	return nil
}

// written says that what was reserved is where heldUploads sees it.
func (r *partRoom) written(key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.arriving[key] = 0
}

func (r *partRoom) end(key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.arriving, key)
}

func (r *partRoom) reserve(key string, n int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.arriving[key] += n
}

// complete adds what this process knows of uploads to a list of those that are there, and forgets what is not.
func (r *partRoom) complete(list []heldUpload) []heldUpload {
	r.mu.Lock()
	defer r.mu.Unlock()
	there := map[string]bool{}
	for i := range list {
		u := &list[i]
		there[u.key] = true
		if u.sender == "" {
			u.sender = r.senders[u.key]
		}
		more, arrives := r.arriving[u.key]
		u.bytes, u.arrives = u.bytes+more, arrives
	}
	for key, bytes := range r.arriving {
		if !there[key] {
			there[key] = true
			list = append(list, heldUpload{key: key, sender: r.senders[key], bytes: bytes, arrives: true})
		}
	}
	for key := range r.senders {
		if !there[key] {
			delete(r.senders, key)
		}
	}
	return list
}

// A heldUpload is a zip that is there in part.
type heldUpload struct {
	key     string
	sender  string // "" where a process that has ended knew it
	bytes   int64
	last    time.Time // when something arrived
	arrives bool      // a part, now
}

// next names the upload that has to go so that n bytes more of the upload key fit; "" where they fit. ok is false where
// none may go.
func next(list []heldUpload, key string, n, most int64) (goes string, ok bool) {
	var all heldUse
	by := map[string]heldUse{}
	sender := ""
	for i := range list {
		u := &list[i]
		all = all.with(u.bytes)
		by[u.sender] = by[u.sender].with(u.bytes)
		if u.key == key {
			sender = u.sender
		}
	}
	own := by[sender]
	overShare := own.uploads > maxParts/partShare || own.uploads > 1 && own.bytes+n > most/partShare
	if !overShare && all.uploads <= maxParts && all.bytes+n <= most {
		return "", true
	}
	var victim *heldUpload
	for i := range list {
		u := &list[i]
		switch {
		case u.arrives || u.key == key || overShare && u.sender != sender || by[u.sender].less(own):
		case victim == nil || by[victim.sender].less(by[u.sender]),
			u.last.Before(victim.last) && !by[u.sender].less(by[victim.sender]):
			victim = u
		}
	}
	if victim == nil { // a share alone is no reason to refuse while there is room for all
		return "", own.uploads <= maxParts/partShare && all.uploads <= maxParts && all.bytes+n <= most
	}
	return victim.key, true
}

// heldUse is what uploads take.
type heldUse struct {
	uploads int64
	bytes   int64
}

func (h heldUse) with(bytes int64) heldUse { return heldUse{h.uploads + 1, h.bytes + bytes} }

// less compares by the larger part of what there is for all: 64 uploads of a byte lock others out as 4 GiB do.
func (h heldUse) less(other heldUse) bool { return h.weight() < other.weight() }

func (h heldUse) weight() int64 { return max(h.uploads*(maxPartial/maxParts), h.bytes) }

// roomFor reserves n bytes more of an upload of which a part arrives.
func (s *Store) roomFor(ctx context.Context, key string, n int64) error {
	select {
	case s.parts.turn <- struct{}{}:
		defer func() { <-s.parts.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	list, err := s.heldUploads(ctx)
	if err != nil {
		return err
	}
	for {
		goes, ok := next(list, key, n, s.parts.most)
		switch {
		case !ok:
			return errPartial
		case goes == "":
			s.parts.reserve(key, n)
			return nil
		}
		at := 0
		for list[at].key != goes {
			at++
		}
		s.log.Info("a case that had arrived in part is given up: its sender has too much, and others need the room",
			"sender", list[at].sender, "bytes", list[at].bytes)
		gone, err := s.dropUpload(ctx, goes)
		if err != nil {
			return err
		}
		if gone {
			list = append(list[:at], list[at+1:]...)
		} else {
			list[at].arrives = true // at another process
		}
	}
}

// heldUploads lists what is there in part, and removes what is too old.
func (s *Store) heldUploads(ctx context.Context) ([]heldUpload, error) {
	held := s.heldFiles
	if s.index.d.shared {
		held = s.heldRows
	}
	list, err := held(ctx)
	return s.parts.complete(list), err
}

func (s *Store) heldFiles(ctx context.Context) (list []heldUpload, err error) {
	files, err := os.ReadDir(s.scratch.dir)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		key, ours := strings.CutPrefix(f.Name(), partPrefix)
		info, err := f.Info()
		if !ours || err != nil {
			continue
		}
		if s.now().Sub(info.ModTime()) > partAge {
			if gone, err := s.dropUpload(ctx, key); gone || err != nil {
				continue
			}
		}
		list = append(list, heldUpload{key: key, bytes: info.Size(), last: info.ModTime()})
	}
	return list, nil
}

// dropUpload gives up an upload, unless a part of it arrives.
func (s *Store) dropUpload(ctx context.Context, key string) (gone bool, err error) {
	if s.index.d.shared {
		return true, s.forgetUpload(ctx, key)
	}
	name := filepath.Join(s.scratch.dir, partPrefix+key)
	file, err := os.Open(name)
	if err != nil {
		return true, ignoreMissing(err)
	}
	defer file.Close()
	switch err := flock.Try(file); {
	case errors.Is(err, flock.ErrInUse):
		return false, nil
	case errors.Is(err, flock.ErrUnsupported):
		_ = file.Close() // where files have no locks, none that is open can be removed
	}
	return true, ignoreMissing(os.Remove(name))
}

// tidyParts removes what nobody adds to, until done. The first time is some minutes after the start.
func (s *Store) tidyParts(done <-chan struct{}) {
	tick := time.NewTicker(partAge / 4)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
		}
		ctx, cancel := context.WithTimeout(context.Background(), commitTimeout)
		err := s.tidyPartsOnce(ctx)
		cancel()
		if err != nil {
			s.log.Warn("old parts of cases cannot be removed", "error", err)
		}
	}
}

func (s *Store) tidyPartsOnce(ctx context.Context) error {
	if s.index.d.shared {
		return s.forgetOldParts(ctx)
	}
	_, err := s.heldFiles(ctx)
	return err
}
