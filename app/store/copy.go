package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// A Progress says how far a copy is.
type Progress struct {
	Cases  int   `json:"cases"`  // copied now, or brought up to date
	Known  int   `json:"known"`  // that the other store had
	Bytes  int64 `json:"bytes"`  // of evidence, read and verified
	Failed int   `json:"failed"` // left out, because evidence is lost or changed
}

// Copy copies every case of s that to has not into it, oldest first, with the time when it was received, and proofs;
// what changed in cases that to has, it brings there. What is pinned here is pinned there. It verifies
// each piece of evidence by its checksum on the way. What was copied stays if it is ended in the middle, and the next
// Copy goes on from there: it is how a store moves between SQLite and PostgreSQL, and how a backup is made. Cases that
// cannot be copied are named by the error, and the others are copied nevertheless.
func (s *Store) Copy(ctx context.Context, to *Store, tell func(Progress)) (Progress, error) {
	var p Progress
	var failed []error
	after := ""
	for {
		list, err := s.index.recordsAfter(ctx, after, copyBatch)
		if err != nil {
			return p, errors.Join(append(failed, fmt.Errorf("copying after case %q: %w", after, err))...)
		}
		if len(list) == 0 {
			return p, errors.Join(failed...)
		}
		for _, rec := range list {
			after = rec.id
			err := s.copyCase(ctx, to, rec, &p)
			if err == nil && rec.pinned {
				err = to.Pin(ctx, rec.id, true)
			}
			switch {
			case err == nil:
			case ctx.Err() != nil, errors.Is(err, ErrUnavailable), errors.Is(err, ErrFull):
				return p, errors.Join(append(failed, fmt.Errorf("copying case %s: %w", rec.id, err))...)
			default:
				p.Failed++
				failed = append(failed, fmt.Errorf("copying case %s: %w", rec.id, err))
			}
			if tell != nil {
				tell(p)
			}
		}
	}
}

const copyBatch = 32

func (s *Store) copyCase(ctx context.Context, to *Store, rec storedRecord, p *Progress) error {
	sum, err := to.index.recordSum(ctx, rec.id)
	switch {
	case err == nil && sum == rec.sum:
		p.Known++
		return s.copyProofs(ctx, to, rec.id)
	case err == nil:
		return s.copyChange(ctx, to, rec, sum, p)
	case !errors.Is(err, ErrNotFound):
		return err
	}
	c, err := casefile.Decode(rec.data)
	if err != nil {
		return err
	}
	r := newRow(&c, rec.data, rec.received)
	r.receivedSum = rec.receivedSum
	_, err = to.admit(ctx, r, func(e *casefile.Evidence, w io.Writer) error { return s.copyBlob(ctx, e, w) })
	if err != nil {
		return err
	}
	p.Bytes += r.summary.Bytes
	p.Cases++
	return s.copyProofs(ctx, to, rec.id)
}

// copyChange brings a case that the other store has up to date: a diagnosis, a proof, the end of an alert came later.
func (s *Store) copyChange(ctx context.Context, to *Store, rec storedRecord, has string, p *Progress) error {
	received, err := to.index.received(ctx, rec.id)
	if err == nil && received != rec.receivedSum {
		err = ErrExists
	}
	if err != nil {
		return err
	}
	c, err := casefile.Decode(rec.data)
	if err != nil {
		return err
	}
	if err := to.index.replace(ctx, newRow(&c, rec.data, rec.received), has); err != nil {
		return err
	}
	p.Cases++
	return s.copyProofs(ctx, to, rec.id)
}

// openBlob opens the blob of a piece of evidence that some case has.
func (s *Store) openBlob(ctx context.Context, e *casefile.Evidence) (io.ReadCloser, error) {
	stamp, err := s.index.stampOf(ctx, e.SHA256)
	if err != nil {
		return nil, err
	}
	return s.blobs.open(ctx, blobName(e.SHA256, stamp), e.Bytes)
}

// copyBlob writes a blob that some case has, and says whether its checksum is right.
func (s *Store) copyBlob(ctx context.Context, e *casefile.Evidence, w io.Writer) error {
	b, err := s.openBlob(ctx, e)
	if err != nil {
		return err
	}
	defer b.Close()
	sum := sha256.New()
	if _, err := io.Copy(io.MultiWriter(w, sum), b); err != nil {
		return err
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != e.SHA256 {
		return fmt.Errorf("its blob was changed: the checksum is %s", got)
	}
	return nil
}

// A storedRecord is a row of records with when its case was received.
type storedRecord struct {
	id string
	record
	receivedSum string
	received    time.Time
	pinned      bool
}

func (x *index) recordsAfter(ctx context.Context, id string, n int) ([]storedRecord, error) {
	rows, err := x.query(ctx, "SELECT id, sum, received_sum, data, received, pinned FROM cases "+
		"JOIN records ON case_id = id WHERE id > $1 ORDER BY id LIMIT $2", id, n)
	if err != nil {
		return nil, x.explain(err)
	}
	defer rows.Close()
	var list []storedRecord
	for rows.Next() {
		var r storedRecord
		var received int64
		if err := rows.Scan(&r.id, &r.sum, &r.receivedSum, &r.data, &received, &r.pinned); err != nil {
			return nil, x.explain(err)
		}
		r.received = time.UnixMilli(received)
		list = append(list, r)
	}
	return list, x.explain(rows.Err())
}

func (x *index) recordSum(ctx context.Context, id string) (sum string, err error) {
	err = x.queryRow(ctx, "SELECT sum FROM records WHERE case_id = $1", id).Scan(&sum)
	return sum, x.explain(err)
}
