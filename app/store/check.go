package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
)

// sweepAge is how long a blob that no case names stays: longer than receiving a case can take, so that a sweep takes
// nothing that a case is about to name.
const sweepAge = 24 * time.Hour

// A Health says what a check saw.
type Health struct {
	Cases    int       `json:"cases"`
	Evidence int       `json:"evidence"` // pieces
	Blobs    int       `json:"blobs"`
	Bytes    int64     `json:"bytes"`  // of blobs
	Spare    int       `json:"spare"`  // blobs that no case needs
	Faults   []Problem `json:"faults"` // evidence that is lost or changed
}

// A Problem is a piece of evidence that is not what it was.
type Problem struct {
	Case string `json:"case"`
	File string `json:"file"`
	Text string `json:"text"`
}

// Check compares the index with the blobs. Deep reads every blob and computes its checksum; without it existence and
// size are compared. Nothing is changed.
func (s *Store) Check(ctx context.Context, deep bool) (Health, error) {
	h := Health{Faults: []Problem{}}
	have := map[string]int64{}
	err := s.blobs.walk(ctx, func(b blobInfo) error {
		have[b.name()] = b.size
		h.Blobs++
		h.Bytes += b.size
		return nil
	})
	if err != nil {
		return h, fmt.Errorf("checking blobs: %w", err)
	}
	named := map[string]string{} // what is wrong with a blob, or nothing
	err = s.index.eachEvidence(ctx, func(p piece) error {
		h.Evidence++
		name := blobName(p.sum, p.stamp)
		text, seen := named[name]
		if !seen {
			text = s.fault(ctx, p, have, deep)
			named[name] = text
		}
		if text != "" {
			h.Faults = append(h.Faults, Problem{p.id, p.file, text})
		}
		return ctx.Err()
	})
	if err != nil {
		return h, fmt.Errorf("checking the index: %w", err)
	}
	for name := range have {
		if _, needed := named[name]; !needed {
			h.Spare++
		}
	}
	h.Cases, err = s.index.count(ctx)
	return h, err
}

// fault says what is wrong with a blob; empty means nothing.
func (s *Store) fault(ctx context.Context, p piece, have map[string]int64, deep bool) string {
	name := blobName(p.sum, p.stamp)
	size, found := have[name]
	switch {
	case !found:
		return "its blob is missing"
	case size != p.bytes:
		return fmt.Sprintf("its blob has %d bytes, and had %d", size, p.bytes)
	case !deep:
		return ""
	}
	b, err := s.blobs.open(ctx, name, p.bytes)
	if err != nil {
		return err.Error()
	}
	defer b.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, b); err != nil {
		return err.Error()
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != p.sum {
		return "its blob was changed: the checksum is " + got
	}
	return ""
}

// sweepBatch is how many blobs a transaction looks at: uploads wait for it.
const sweepBatch = 64

// Sweep removes blobs that no case needs and that are older than a day. It says how many, and their bytes. Uploads, and
// other sweeps, may go on beside it: stamp.go.
func (s *Store) Sweep(ctx context.Context) (blobs int, bytes int64, err error) {
	if err := s.forgetOldParts(ctx); err != nil {
		return 0, 0, fmt.Errorf("sweeping: %w", err)
	}
	bound := s.now().Add(-sweepAge).UnixMilli()
	var old []blobInfo
	err = s.blobs.walk(ctx, func(b blobInfo) error {
		if b.stamp <= bound {
			old = append(old, b)
		}
		return nil
	})
	for batch := range slices.Chunk(old, sweepBatch) {
		dead, failed := s.index.condemn(ctx, bound, batch)
		for _, b := range dead {
			if failed == nil {
				failed = s.blobs.remove(ctx, b.name())
			}
			if errors.Is(failed, ErrNotFound) { // another sweep was quicker
				failed = nil
			} else if failed == nil {
				blobs++
				bytes += b.size
			}
		}
		if failed != nil {
			return blobs, bytes, errors.Join(err, fmt.Errorf("sweeping: %w", failed))
		}
	}
	if err != nil {
		err = fmt.Errorf("sweeping: %w", err)
	}
	return blobs, bytes, err
}

// A piece is a row of evidence.
type piece struct {
	id, file, sum string
	stamp, bytes  int64
}

func (x *index) eachEvidence(ctx context.Context, fn func(piece) error) error {
	rows, err := x.query(ctx, "SELECT case_id, file, sum, stamp, bytes FROM evidence ORDER BY case_id, place")
	if err != nil {
		return x.explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		var p piece
		if err := rows.Scan(&p.id, &p.file, &p.sum, &p.stamp, &p.bytes); err != nil {
			return x.explain(err)
		}
		if err := fn(p); err != nil {
			return err
		}
	}
	return x.explain(rows.Err())
}

func (x *index) count(ctx context.Context) (n int, err error) {
	err = x.queryRow(ctx, "SELECT COUNT(*) FROM cases").Scan(&n)
	return n, x.explain(err)
}
