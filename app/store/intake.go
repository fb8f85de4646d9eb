package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/gocasebook/casebook/casefile"
)

// An Upload is a case on its way into a store.
type Upload struct {
	// ID is the case's that the sender names, and must be that of the case in the zip. Empty means whatever is in it.
	ID string
	// Body is the zip of casefile.Export.
	Body io.Reader
	// MaxBytes bounds the zip. Zero means DefaultMaxUpload.
	MaxBytes int64
	// SHA256 is the digest of the zip that the sender promises. Nil means none.
	SHA256 []byte
}

// DefaultMaxUpload bounds a zip without a bound of its own.
const DefaultMaxUpload = 1 << 30

// ErrTooLarge says that a zip has more bytes than Upload.MaxBytes.
var ErrTooLarge = errors.New("the case is too large")

// ErrCutShort says that a sender stopped, or was too slow, before all of the case had arrived. It may send it again.
var ErrCutShort = errors.New("the case did not arrive whole")

// A Receipt says that a case is in the store, durably.
type Receipt struct {
	ID string `json:"id"`
	// Known says that the store had this case already, with the same case.json.
	Known bool `json:"known,omitempty"`
}

// Put takes in a case. When it returns a Receipt, the case survives a crash. Taking in the same case again is no error.
func (s *Store) Put(ctx context.Context, up Upload) (Receipt, error) {
	zip, err := s.spool(up)
	if err != nil {
		return Receipt{}, fmt.Errorf("receiving a case: %w", err)
	}
	defer zip.discard()
	r, err := s.putZip(ctx, up.ID, zip)
	if err != nil {
		return Receipt{}, fmt.Errorf("receiving case %.60q: %w", up.ID, err)
	}
	return r, nil
}

func (s *Store) putZip(ctx context.Context, id string, zip *spooled) (Receipt, error) {
	z, err := casefile.OpenZip(zip.file, zip.size)
	if err != nil {
		return Receipt{}, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	if id != "" && id != z.Case.ID {
		return Receipt{}, fmt.Errorf("%w: the case in the zip is %s", ErrInvalid, z.Case.ID)
	}
	if err := fits(&z.Case); err != nil {
		return Receipt{}, err
	}
	row := newRow(&z.Case, z.Record, s.now())
	row.annotate, row.ask = s.annotate, s.ask
	if known, err := s.known(ctx, row); err != nil || known {
		return Receipt{ID: row.id, Known: known}, err
	}
	return s.admit(ctx, row, func(e *casefile.Evidence, w io.Writer) error {
		out := &outcome{w: w}
		err := z.Extract(*e, out)
		if err != nil && out.err == nil {
			return fmt.Errorf("%w: %w", ErrInvalid, err)
		}
		return out.err
	})
}

// sweptTries is how often blobs are written before a sender must come again.
const sweptTries = 5

// admit keeps evidence that fill writes, and then the row.
func (s *Store) admit(ctx context.Context, r *row, fill func(*casefile.Evidence, io.Writer) error) (Receipt, error) {
	for try := 1; ; try++ {
		stamp, err := s.newStamp(ctx)
		if err != nil {
			return Receipt{}, err
		}
		r.stamps = make([]int64, len(r.evidence))
		for i := range r.evidence {
			if r.stamps[i], err = s.keep(ctx, &r.evidence[i], stamp, fill); err != nil {
				return Receipt{}, fmt.Errorf("evidence %.80q: %w", r.evidence[i].File, err)
			}
		}
		receipt, err := s.intake.add(ctx, r)
		if try == sweptTries || !errors.Is(err, errSwept) {
			return receipt, err
		}
	}
}

// keep writes a piece of evidence under a stamp, if no case has the same: then fill only says whether it is what the
// checksum promises. It returns the stamp of the blob. One that a case has and that is lost is written again.
func (s *Store) keep(ctx context.Context, e *casefile.Evidence, stamp int64,
	fill func(*casefile.Evidence, io.Writer) error) (int64, error) {
	var failed error // a bucket may wrap it beyond recognition
	write := func(w io.Writer) error {
		failed = fill(e, w)
		return failed
	}
	known, err := s.index.stampOf(ctx, e.SHA256)
	switch {
	case err == nil:
		stamp = known
		if b, err := s.blobs.open(ctx, blobName(e.SHA256, stamp), e.Bytes); err == nil {
			return stamp, errors.Join(write(io.Discard), b.Close())
		}
	case !errors.Is(err, ErrNotFound):
		return 0, err
	}
	err = s.blobs.put(ctx, blobName(e.SHA256, stamp), e.Bytes, write)
	if errors.Is(failed, ErrInvalid) && !errors.Is(err, ErrInvalid) {
		err = errors.Join(failed, err)
	}
	return stamp, err
}

// An outcome remembers whether writing failed, so that a full disk is not taken for a damaged zip.
type outcome struct {
	w   io.Writer
	err error
}

func (o *outcome) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if err != nil {
		o.err = err
	}
	return n, err
}

// known reports whether the store has this case. Another case of its ID is ErrExists, unless the store's is this one
// with what was added to it here, such as a diagnosis.
func (s *Store) known(ctx context.Context, row *row) (bool, error) {
	have, err := s.index.received(ctx, row.id)
	switch {
	case errors.Is(err, ErrNotFound):
		return false, nil
	case err != nil:
		return false, err
	case have != row.recordSum:
		return false, ErrExists
	}
	return true, nil
}

// A spooled zip is on disk, to be read in any order.
type spooled struct {
	file *os.File
	size int64
}

func (z *spooled) discard() {
	_ = z.file.Close()
	_ = os.Remove(z.file.Name()) // where it has one
}

// scratchFile is a file that goes with its descriptor, also when we are killed; on Windows discard removes it. Where a
// file must have a name at first, a kill between the two calls leaves an empty one, which sweep removes.
func (s *Store) scratchFile() (*os.File, error) {
	if file, err := nameless(s.scratch.dir); err == nil {
		return file, nil
	}
	file, err := os.CreateTemp(s.scratch.dir, uploadPrefix)
	if err != nil {
		return nil, full(err)
	}
	_ = os.Remove(file.Name())
	return file, nil
}

func (s *Store) spool(up Upload) (*spooled, error) {
	most := up.MaxBytes
	if most == 0 {
		most = DefaultMaxUpload
	}
	file, err := s.scratchFile()
	if err != nil {
		return nil, err
	}
	z := &spooled{file: file}
	sum := sha256.New()
	out := &outcome{w: io.MultiWriter(file, sum)}
	z.size, err = io.Copy(out, io.LimitReader(up.Body, most+1))
	switch {
	case out.err != nil:
		err = full(out.err)
	case err != nil:
		err = fmt.Errorf("%w: %w", ErrCutShort, err)
	case z.size > most:
		err = fmt.Errorf("%w: more than %d bytes", ErrTooLarge, most)
	case up.SHA256 != nil && string(up.SHA256) != string(sum.Sum(nil)):
		err = fmt.Errorf("%w: what arrived has another SHA-256 than the sender says (%s)", ErrInvalid,
			hex.EncodeToString(sum.Sum(nil)))
	}
	if err != nil {
		z.discard()
		return nil, err
	}
	return z, nil
}

// An intake commits cases in batches: one sync and one transaction for all that arrived while the last were written.
// One case at a time would be bound by the disk: 270 durable transactions a second.
type intake struct {
	s       *Store
	arrived chan *arrival
	done    chan struct{}
	ended   sync.WaitGroup
}

type arrival struct {
	row    *row
	answer chan error // of capacity 1
}

const maxBatch = 64

func newIntake(s *Store) *intake {
	in := &intake{s: s, arrived: make(chan *arrival), done: make(chan struct{})}
	in.ended.Go(in.run)
	return in
}

func (in *intake) stop() {
	close(in.done)
	in.ended.Wait()
}

// errClosed is the answer of a store that is being closed.
var errClosed = fmt.Errorf("%w: it is being closed", ErrUnavailable)

// add waits until the row is durable. A caller that gives up does not know whether it is: it may ask again.
func (in *intake) add(ctx context.Context, r *row) (Receipt, error) {
	a := &arrival{r, make(chan error, 1)}
	select {
	case in.arrived <- a:
	case <-ctx.Done():
		return Receipt{}, ctx.Err()
	case <-in.done:
		return Receipt{}, errClosed
	}
	select {
	case err := <-a.answer:
		if errors.Is(err, ErrExists) { // in the meantime; it may be the same case
			known, err := in.s.known(ctx, r)
			return Receipt{ID: r.id, Known: known}, err
		}
		return Receipt{ID: r.id}, err
	case <-ctx.Done():
		return Receipt{}, ctx.Err()
	}
}

func (in *intake) run() {
	for {
		select {
		case a := <-in.arrived:
			in.commit(in.more(a))
		case <-in.done:
			return
		}
	}
}

// more takes what else has arrived.
func (in *intake) more(first *arrival) []*arrival {
	batch := []*arrival{first}
	for len(batch) < maxBatch {
		select {
		case a := <-in.arrived:
			batch = append(batch, a)
		default:
			return batch
		}
	}
	return batch
}

// commit makes blobs durable, and then the rows that name them. Its context is not a sender's: one who hangs up must
// not undo the others'.
func (in *intake) commit(batch []*arrival) {
	ctx, cancel := context.WithTimeout(context.Background(), commitTimeout)
	defer cancel()
	rows := make([]*row, len(batch))
	for i, a := range batch {
		rows[i] = a.row
	}
	var answers []error
	err := in.s.blobs.sync(ctx)
	if err == nil {
		answers, err = in.s.index.insert(ctx, rows)
	}
	if errors.Is(err, ErrInvalid) && len(batch) > 1 { // one that the database does not take must not refuse the others
		for i := range batch {
			in.commit(batch[i : i+1])
		}
		return
	}
	for i, a := range batch {
		if err != nil {
			a.answer <- err
		} else {
			a.answer <- answers[i]
		}
	}
}
