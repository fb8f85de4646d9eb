package store

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/gocasebook/casebook/casefile"
)

// A Repaired says what a repair did.
type Repaired struct {
	Blobs int       `json:"blobs"` // that were brought back
	Left  []Problem `json:"left"`  // evidence that is still lost or changed
}

// Repair brings evidence that is lost or was changed back from another store that has it, such as a backup. Blobs are
// named by their checksums, so that it is the evidence that was there, whichever case the other store has it of.
func (s *Store) Repair(ctx context.Context, from *Store) (Repaired, error) {
	r := Repaired{Left: []Problem{}}
	h, err := s.Check(ctx, true)
	if err != nil {
		return r, err
	}
	done := make(map[string]error) // by blob
	for _, p := range h.Faults {
		e, name, err := s.index.evidence(ctx, p.Case, p.File)
		if err != nil {
			return r, fmt.Errorf("repairing %q of case %s: %w", p.File, p.Case, err)
		}
		fixed, tried := done[name]
		if !tried {
			fixed = s.bringBack(ctx, from, &e, name)
			done[name] = fixed
			if fixed == nil {
				r.Blobs++
			}
		}
		switch {
		case errors.Is(fixed, ErrUnavailable), errors.Is(fixed, ErrFull), ctx.Err() != nil:
			return r, fmt.Errorf("repairing %q of case %s: %w", p.File, p.Case, errors.Join(fixed, ctx.Err()))
		case fixed != nil:
			r.Left = append(r.Left, Problem{p.Case, p.File, p.Text + "; in the other store: " + fixed.Error()})
		}
	}
	if err := s.blobs.sync(ctx); err != nil {
		return r, fmt.Errorf("repairing: %w", err)
	}
	return r, nil
}

// bringBack copies a blob from another store, after it was read there whole: what is damaged here may still be worth
// more than nothing.
func (s *Store) bringBack(ctx context.Context, from *Store, e *casefile.Evidence, name string) error {
	if err := from.copyBlob(ctx, e, io.Discard); err != nil {
		return err
	}
	return s.blobs.put(ctx, name, e.Bytes, func(w io.Writer) error { return from.copyBlob(ctx, e, w) })
}
