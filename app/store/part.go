package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/flock"
)

// A case can arrive in parts, over a line that breaks: what has arrived is kept, and its sender asks how much that is.
// After half an hour without a part it is removed; part_room.go has its bounds. Over SQLite it is in the scratch folder, which is one machine's as the
// database is; where servers on several machines share the database, it is where all have it (part_shared.go).

// A Part is some bytes of a zip.
type Part struct {
	ID     string    // the case's
	SHA256 [32]byte  // of the whole zip
	Size   int64     // of the whole zip
	Offset int64     // of the first byte of Body
	Body   io.Reader // as far as it goes
	Sender string    // who has a share of what may be there in part: a token's name, or an address
	// MaxBytes bounds the whole zip. Zero means DefaultMaxUpload.
	MaxBytes int64
}

const partPrefix = uploadPrefix + "part-"

// An OffsetError says that a part does not follow what has arrived.
type OffsetError struct{ Have int64 }

func (e *OffsetError) Error() string {
	return fmt.Sprintf("%d bytes have arrived; send the part from there", e.Have)
}

// Arrived is how much of a zip has arrived.
func (s *Store) Arrived(ctx context.Context, id string, sum [32]byte) (int64, error) {
	if !casefile.ValidID(id) {
		return 0, errNoID
	}
	if s.index.d.shared {
		list, err := s.index.parts(ctx, uploadKey(id, sum))
		return ends(list), err
	}
	name := s.partName(id, sum)
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("looking for the parts of case %.60q: %w", id, err)
	}
	return info.Size(), nil
}

// AddPart keeps a part. When the zip is whole, the case is taken in as by Put, and whole is true. While the store is away
// the parts stay: send an empty one at the end. arrived is how much there is now.
func (s *Store) AddPart(ctx context.Context, p Part) (arrived int64, whole bool, r Receipt, err error) {
	add := s.addLocal
	if s.index.d.shared {
		add = s.addShared
	}
	arrived, whole, r, err = add(ctx, &p)
	if err != nil {
		err = fmt.Errorf("receiving a part of case %.60q: %w", p.ID, err)
	}
	return arrived, whole && err == nil, r, err
}

// addLocal is AddPart.
func (s *Store) addLocal(ctx context.Context, p *Part) (arrived int64, whole bool, r Receipt, err error) {
	key := uploadKey(p.ID, p.SHA256)
	if err := s.parts.begin(key, p.Sender); err != nil {
		return 0, false, r, err
	}
	defer s.parts.end(key)
	file, err := s.openPart(p, key)
	if err != nil {
		return 0, false, r, err
	}
	defer file.Close()
	room := func(n int64) error {
		s.parts.written(key)
		return s.roomFor(ctx, key, n)
	}
	if arrived, err = p.append(file, room); arrived == 0 { // an empty one would take the place of another
		_ = os.Remove(file.Name())
	}
	if err != nil || arrived < p.Size {
		return arrived, false, r, err
	}
	if whole, r, err = s.putParts(ctx, p, &spooled{file, p.Size}); whole {
		_ = os.Remove(file.Name())
	}
	return arrived, whole, r, err
}

var errNoID = fmt.Errorf("%w: that is not the ID of a case", ErrInvalid)

// check says what cannot be a part of a case.
func (p *Part) check() error {
	most := p.MaxBytes
	if most == 0 {
		most = DefaultMaxUpload
	}
	switch {
	case !casefile.ValidID(p.ID):
		return errNoID
	case p.Size <= 0 || p.Offset < 0 || p.Offset > p.Size:
		return fmt.Errorf("%w: a part at %d of %d bytes", ErrInvalid, p.Offset, p.Size)
	case p.Size > most:
		return fmt.Errorf("%w: more than %d bytes", ErrTooLarge, most)
	}
	return nil
}

// uploadKey names no file by what a sender says.
func uploadKey(id string, sum [32]byte) string {
	key := sha256.Sum256(append([]byte(id), sum[:]...))
	return hex.EncodeToString(key[:16])
}

func (s *Store) partName(id string, sum [32]byte) string {
	return filepath.Join(s.scratch.dir, partPrefix+uploadKey(id, sum))
}

// openPart opens what has arrived, for this sender alone.
func (s *Store) openPart(p *Part, key string) (*os.File, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	name := filepath.Join(s.scratch.dir, partPrefix+key)
	for {
		file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, full(err)
		}
		if err = flock.Try(file); errors.Is(err, flock.ErrInUse) { // at another process
			err = errArriving
		} else if errors.Is(err, flock.ErrUnsupported) || err == nil && isNamed(file, name) {
			return file, nil
		}
		_ = file.Close()
		if err != nil {
			return nil, err
		}
	}
}

// isNamed reports whether a file still has its name: it may have been given up between opening and locking it.
func isNamed(file *os.File, name string) bool {
	ours, err1 := file.Stat()
	now, err2 := os.Stat(name)
	return err1 == nil && err2 == nil && os.SameFile(ours, now)
}

// append writes the body behind what has arrived, as far as there is room. Of a body that is cut short, what came is
// kept.
func (p *Part) append(file *os.File, room func(n int64) error) (arrived int64, err error) {
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	if info.Size() != p.Offset {
		return info.Size(), &OffsetError{info.Size()}
	}
	n, err := p.receive(io.NewOffsetWriter(file, p.Offset), room)
	if err != nil && !kept(err) { // a part of a part is no harm, but a full disk needs its room
		return p.Offset, errors.Join(err, file.Truncate(p.Offset))
	}
	return p.Offset + n, err
}

// kept reports whether what came before an error stays: its sender goes on from there.
func kept(err error) bool { return errors.Is(err, ErrCutShort) || errors.Is(err, ErrBusy) }

// receive copies the body, a chunk at a time, for which there has to be room. Of one that is cut short (ErrCutShort), or
// has no more room (ErrBusy), n bytes came; after other errors none count.
func (p *Part) receive(w io.Writer, room func(n int64) error) (n int64, err error) {
	out := &outcome{w: w}
	for p.Offset+n < p.Size {
		chunk := min(p.Size-p.Offset-n, partChunk)
		if err := room(chunk); err != nil {
			return n, err
		}
		got, err := io.CopyN(out, p.Body, chunk)
		n += got
		switch {
		case out.err != nil:
			return 0, full(out.err)
		case err == io.EOF:
			return n, nil
		case err != nil:
			return n, fmt.Errorf("%w: %w", ErrCutShort, err)
		}
	}
	switch more, err := io.CopyN(io.Discard, p.Body, 1); {
	case more > 0:
		return 0, fmt.Errorf("%w: the part goes beyond %d bytes", ErrInvalid, p.Size)
	case err != nil && err != io.EOF:
		return n, fmt.Errorf("%w: %w", ErrCutShort, err)
	}
	return n, nil
}

// putParts takes the case in, of which all has arrived. done says that the parts are not needed any more.
func (s *Store) putParts(ctx context.Context, p *Part, zip *spooled) (done bool, r Receipt, err error) {
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(zip.file, 0, zip.size)); err != nil {
		return false, r, err
	}
	if string(sum.Sum(nil)) != string(p.SHA256[:]) {
		return true, r, fmt.Errorf("%w: what arrived has another SHA-256 than the sender says", ErrInvalid)
	}
	r, err = s.putZip(ctx, p.ID, zip)
	done = err == nil || errors.Is(err, ErrInvalid) || errors.Is(err, ErrExists) || errors.Is(err, ErrTooLarge)
	return done, r, err
}
