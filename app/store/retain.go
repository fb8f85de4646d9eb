package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// A Pruning is what a pruning removed, or would remove.
type Pruning struct {
	Removed []Summary `json:"removed"`     // oldest first
	Freed   int64     `json:"freed_bytes"` // of their evidence; what other cases have, too, stays
	Cases   int       `json:"cases"`       // left
	Bytes   int64     `json:"bytes"`       // of their evidence
	Pinned  int       `json:"pinned"`      // of those left
	// OverBytes is by how much Bytes is above the limit: no more may be removed.
	OverBytes int64 `json:"over_bytes,omitempty"`
}

// PlanPrune says what Prune would remove, and removes nothing.
func (s *Store) PlanPrune(ctx context.Context, keep casefile.Retention) (Pruning, error) {
	p, err := s.planPrune(ctx, keep)
	if err != nil {
		return p, fmt.Errorf("looking for cases to remove: %w", err)
	}
	return p, nil
}

// Prune removes the cases that arrived first until what is left is within the limits. As in a folder
// (casefile.Retention) these stay: what is pinned, the newest case, and the first and the worst of each kind of finding
// of a service. So does what waits for its first diagnosis. Evidence stays until Sweep.
func (s *Store) Prune(ctx context.Context, keep casefile.Retention) (Pruning, error) {
	p, err := s.planPrune(ctx, keep)
	if err != nil {
		return p, fmt.Errorf("removing old cases: %w", err)
	}
	plan := p.Removed
	p.Removed = []Summary{}
	for batch := range slices.Chunk(plan, pruneBatch) {
		gone, err := s.index.removeUnpinned(ctx, batch)
		p.Removed = append(p.Removed, gone...)
		if err != nil {
			return p, fmt.Errorf("removing old cases: %w", err)
		}
	}
	return p, nil
}

// pruneBatch is how many cases a transaction removes: uploads wait for it.
const pruneBatch = 64

func (s *Store) planPrune(ctx context.Context, keep casefile.Retention) (Pruning, error) {
	p := Pruning{Removed: []Summary{}}
	if err := keep.Validate(); err != nil {
		return p, err
	}
	cases, err := s.index.keepsakes(ctx)
	if err != nil {
		return p, err
	}
	for i := range cases {
		p.Cases++
		p.Bytes += cases[i].Bytes
		if cases[i].Pinned {
			p.Pinned++
		}
	}
	drop := keep.Drop(cases, s.now())
	for batch := range slices.Chunk(drop, pruneBatch) {
		list, err := s.index.summaries(ctx, batch)
		if err != nil {
			return p, err
		}
		for _, c := range list {
			p.Removed = append(p.Removed, c)
			p.Freed += c.Bytes
			p.Cases--
			p.Bytes -= c.Bytes
		}
	}
	if limit := cmp.Or(keep.MaxBytes, casefile.DefaultMaxBytes); limit > 0 {
		p.OverBytes = max(p.Bytes-limit, 0)
	}
	return p, nil
}

// keepsakes are all cases, with what the decision needs.
func (x *index) keepsakes(ctx context.Context) ([]casefile.Keepsake, error) {
	rows, err := x.query(ctx, "SELECT cases.id, received, bytes, pinned, service, COALESCE(findings.kind, ''), "+
		"COALESCE(findings.score, 0), jobs.case_id IS NOT NULL AND jobs.failure = '' FROM cases "+
		"LEFT JOIN findings ON findings.case_id = cases.id "+
		"LEFT JOIN jobs ON jobs.case_id = cases.id AND jobs.work = $1 ORDER BY cases.id", Diagnose)
	if err != nil {
		return nil, x.explain(err)
	}
	defer rows.Close()
	var list []casefile.Keepsake
	for rows.Next() {
		var c casefile.Keepsake
		var received int64
		var service, kind string
		var score int
		if err := rows.Scan(&c.ID, &received, &c.Bytes, &c.Pinned, &service, &kind, &score, &c.Fixed); err != nil {
			return nil, x.explain(err)
		}
		n := len(list)
		if n == 0 || list[n-1].ID != c.ID {
			c.Since = fromMilli(received)
			list = append(list, c)
			n++
		}
		if kind != "" {
			last := &list[n-1]
			if last.Scores == nil {
				last.Scores = make(map[string]int)
			}
			of := service + "\x00" + kind
			last.Scores[of] = max(last.Scores[of], score)
		}
	}
	return list, x.explain(rows.Err())
}

// summaries are those of some cases that are still there, in their order.
func (x *index) summaries(ctx context.Context, of []casefile.Keepsake) ([]Summary, error) {
	var ids []string
	for i := range of {
		ids = append(ids, of[i].ID)
	}
	var args []any
	rows, err := x.query(ctx, "SELECT "+summaryColumns+" FROM cases WHERE id IN ("+placeholders(&args, ids)+
		") ORDER BY received, id", args...)
	if err != nil {
		return nil, x.explain(err)
	}
	defer rows.Close()
	var list []Summary
	for rows.Next() {
		s, err := scanSummary(rows)
		if err != nil {
			return nil, x.explain(err)
		}
		list = append(list, s)
	}
	return list, x.explain(rows.Err())
}

// removeUnpinned removes cases that nobody has pinned or removed meanwhile, and returns those.
func (x *index) removeUnpinned(ctx context.Context, cases []Summary) (gone []Summary, err error) {
	err = x.within(ctx, func(tx *sql.Tx) error {
		for _, c := range cases {
			done, err := x.exec(ctx, tx, "DELETE FROM cases WHERE id = $1 AND pinned = 0", c.ID)
			if err != nil {
				return err
			}
			n, err := done.RowsAffected()
			if err != nil {
				return err
			}
			if n == 1 {
				gone = append(gone, c)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return gone, nil
}

// Pin makes a case stay whatever the limits, or no longer.
func (s *Store) Pin(ctx context.Context, id string, pinned bool) error {
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	n := 0
	if pinned {
		n = 1
	}
	err := ErrNotFound
	if casefile.ValidID(id) {
		err = s.index.changeOne(ctx, "UPDATE cases SET pinned = $1 WHERE id = $2", n, id)
	}
	if err != nil {
		return fmt.Errorf("pinning case %.60q: %w", id, err)
	}
	return nil
}

// pruneEvery is how often Retain prunes, and pruneHold how long one that has the turn may be silent.
const (
	pruneEvery = time.Hour
	pruneHold  = 10 * time.Minute
)

// pruneTurn stands in the table of watched targets for the work that one server of a store does.
const pruneTurn = "retention"

// Retain prunes and sweeps once an hour, until the context ends. Of processes that share the store, one has the turn at
// a time; holder names this one. tell hears of each pruning, and of failures, after which the next one follows.
func (s *Store) Retain(ctx context.Context, holder string, keep casefile.Retention, tell func(Pruning, error)) {
	for {
		p, err := s.RetainOnce(ctx, holder, keep)
		if ctx.Err() == nil {
			tell(p, err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pruneEvery):
		}
	}
}

// RetainOnce is one round of Retain. It does nothing while another process has the turn.
func (s *Store) RetainOnce(ctx context.Context, holder string, keep casefile.Retention) (Pruning, error) {
	holder += "/" + pruneTurn // what else the process holds is not freed with it
	held, err := s.HoldTargets(ctx, holder, []string{pruneTurn}, pruneHold, nil)
	if err != nil || !held[pruneTurn] {
		return Pruning{}, err
	}
	defer func() { _ = s.FreeTargets(context.WithoutCancel(ctx), holder) }() // otherwise it ends by itself
	p, err := s.Prune(ctx, keep)
	if len(p.Removed) > 0 {
		_, _, swept := s.Sweep(ctx)
		err = errors.Join(err, swept)
	}
	return p, err
}
