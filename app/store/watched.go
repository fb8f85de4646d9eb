package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"
)

// HoldTargets takes targets for a time, so that of several processes that share the store one watches each, and says
// which of them the holder has now: those that it had, those that nobody has, and those whose holder let its time pass.
// dead says of another holder that it has surely ended; nil knows of none. Times are by the clock of each process: clocks
// that differ by more than the hold let two have a target. Retain has its turn here, too.
func (s *Store) HoldTargets(ctx context.Context, holder string, targets []string, hold time.Duration,
	dead func(holder string) bool) (map[string]bool, error) {
	held := make(map[string]bool)
	err := s.index.within(ctx, func(tx *sql.Tx) error {
		if dead != nil {
			if err := s.index.forgetDead(ctx, tx, dead); err != nil {
				return err
			}
		}
		now := s.now()
		for _, target := range slices.Sorted(slices.Values(targets)) { // in one order: two that wait for each other would be a deadlock
			done, err := s.index.exec(ctx, tx, "INSERT INTO watched_targets (target, holder, held_until) VALUES ($1, $2, $3) "+
				"ON CONFLICT (target) DO UPDATE SET holder = $2, held_until = $3 "+
				"WHERE watched_targets.holder = $2 OR watched_targets.held_until < $4", target, holder,
				now.Add(hold).UnixMilli(), now.UnixMilli())
			if err != nil {
				return err
			}
			n, err := done.RowsAffected()
			if err != nil {
				return err
			}
			if n > 0 {
				held[target] = true
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("taking targets to watch: %w", err)
	}
	return held, nil
}

// forgetDead frees what those have that have surely ended.
func (x *index) forgetDead(ctx context.Context, tx *sql.Tx, dead func(string) bool) error {
	rows, err := tx.QueryContext(ctx, "SELECT DISTINCT holder FROM watched_targets")
	if err != nil {
		return err
	}
	defer rows.Close()
	var ended []string
	for rows.Next() {
		var holder string
		if err := rows.Scan(&holder); err != nil {
			return err
		}
		if dead(holder) {
			ended = append(ended, holder)
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if err := rows.Close(); err != nil { // a connection does one thing at a time
		return err
	}
	for _, holder := range ended {
		if err := x.freeTargets(ctx, tx, holder); err != nil {
			return err
		}
	}
	return nil
}

func (x *index) freeTargets(ctx context.Context, on executor, holder string) error {
	_, err := x.exec(ctx, on, "DELETE FROM watched_targets WHERE holder = $1", holder)
	return err
}

// FreeTargets lets others take what a holder has.
func (s *Store) FreeTargets(ctx context.Context, holder string) error {
	if err := s.index.freeTargets(ctx, s.index.db, holder); err != nil {
		return fmt.Errorf("leaving targets to others: %w", s.index.explain(err))
	}
	return nil
}
