package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// SourceCases is the source of the ranking that every store has: its own cases. Any other is the address of an engine.
const SourceCases = "cases"

// A Turn is a service that is to be judged for the ranking now, or a source (with no Service) whose services are to be
// listed. The database is the queue, as for jobs.
type Turn struct {
	Source, Service string
	Version         string // the one that is known
	EarlierVersion  string // which that one replaced
	holder          string
}

// Judged is what was found in the profile of a service.
type Judged struct {
	Turn     Turn
	Owner    string
	Version  string  // "" when it is not known
	Cores    float64 // that the service uses
	Findings []RankedFinding
	Failure  error // why it could not be judged; nil if it was
}

const (
	rankEvery = time.Hour
	// rankKept is how long a finding that is gone, or a service that no source lists, is remembered.
	rankKept = 30 * 24 * time.Hour
	// rankAgain is how long a finding may be away and still be the same one when it comes back: a week has the load of
	// every weekday.
	rankAgain = 7 * 24 * time.Hour
)

// AddSources makes the services of some sources part of the ranking. Known ones stay as they are.
func (s *Store) AddSources(ctx context.Context, sources ...string) error {
	err := s.index.within(ctx, func(tx *sql.Tx) error {
		for _, source := range sources {
			if err := s.index.insertRanked(ctx, tx, source, "", s.now().UnixMilli()); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("adding sources to the ranking: %w", err)
	}
	return nil
}

// insertRanked adds a row that is due now, or says of a known one that its source still lists it.
func (x *index) insertRanked(ctx context.Context, tx *sql.Tx, source, service string, now int64) error {
	_, err := x.exec(ctx, tx, "INSERT INTO ranking_services (source, service, owner, version, version_since, "+
		"earlier_version, cores, since, judged, listed, due, holder, held_until, failure) VALUES "+
		"($1, $2, '', '', 0, '', 0, 0, 0, $3, $3, '', 0, '') ON CONFLICT (source, service) DO UPDATE SET listed = $3",
		cut(source), cut(service), now)
	return err
}

// TakeTurns takes up to n turns of some sources that are due longest, for a time. ErrNotFound says that none is due.
// holder names the process: no two may have the same.
func (s *Store) TakeTurns(ctx context.Context, holder string, sources []string, n int, hold time.Duration) ([]Turn,
	error) {
	if len(sources) == 0 {
		return nil, ErrNotFound
	}
	turns, err := s.index.takeTurns(ctx, holder, sources, n, s.now(), hold)
	if err != nil {
		return nil, fmt.Errorf("taking turns of the ranking: %w", s.index.explain(err))
	}
	if len(turns) == 0 {
		return nil, ErrNotFound
	}
	return turns, nil
}

// takeTurns is one statement, as takeJob. MATERIALIZED keeps PostgreSQL from choosing the rows again for each that it
// changes, which would lock more than n.
func (x *index) takeTurns(ctx context.Context, holder string, sources []string, n int, now time.Time,
	hold time.Duration) ([]Turn, error) {
	args := []any{holder, now.Add(hold).UnixMilli(), now.UnixMilli(), n}
	rows, err := x.query(ctx, "WITH turn AS MATERIALIZED (SELECT source, service FROM ranking_services "+
		"WHERE due <= $3 AND held_until < $3 AND source IN ("+placeholders(&args, sources)+
		") ORDER BY due, source, service LIMIT $4"+x.skipLocked()+") UPDATE ranking_services SET holder = $1, "+
		"held_until = $2 WHERE (source, service) IN (SELECT source, service FROM turn) RETURNING source, service, "+
		"version, earlier_version", args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var turns []Turn
	for rows.Next() {
		t := Turn{holder: holder}
		if err := rows.Scan(&t.Source, &t.Service, &t.Version, &t.EarlierVersion); err != nil {
			return nil, err
		}
		turns = append(turns, t)
	}
	return turns, rows.Err()
}

// Listed ends the turn of a source with the services that it has. New ones are due now. Those that it has not had for a
// month are forgotten, with their findings.
func (s *Store) Listed(ctx context.Context, t Turn, services []string) error {
	err := s.index.within(ctx, func(tx *sql.Tx) error {
		now := s.now()
		for _, service := range services {
			if err := s.index.insertRanked(ctx, tx, t.Source, service, now.UnixMilli()); err != nil {
				return err
			}
		}
		_, err := s.index.exec(ctx, tx, "DELETE FROM ranking_services WHERE source = $1 AND service <> '' AND listed < $2",
			t.Source, now.Add(-rankKept).UnixMilli())
		if err != nil {
			return err
		}
		_, err = s.index.exec(ctx, tx, "DELETE FROM ranking_findings WHERE seen < $1", now.Add(-rankKept).UnixMilli())
		if err != nil {
			return err
		}
		return s.index.endTurn(ctx, tx, t, now, nil)
	})
	if err != nil {
		return fmt.Errorf("listing the services of %.80s: %w", t.Source, err)
	}
	return nil
}

// endTurn makes a row due in an hour. ErrNotFound says that another process has the turn by now.
func (x *index) endTurn(ctx context.Context, tx *sql.Tx, t Turn, now time.Time, failure error) error {
	text := ""
	if failure != nil {
		text = cut(failure.Error())
	}
	done, err := x.exec(ctx, tx, "UPDATE ranking_services SET due = $1, holder = '', held_until = 0, failure = $2 "+
		"WHERE source = $3 AND service = $4 AND holder = $5", now.Add(rankEvery).UnixMilli(), text, t.Source, t.Service,
		t.holder)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n != 1 {
		return errors.Join(err, ErrNotFound)
	}
	return nil
}

// KeepJudged ends turns with what was found, in one transaction. A turn that another process has by now is left to it.
func (s *Store) KeepJudged(ctx context.Context, list []Judged) error {
	err := s.index.within(ctx, func(tx *sql.Tx) error {
		for i := range list {
			err := s.index.keepJudged(ctx, tx, &list[i], s.now())
			if err != nil && !errors.Is(err, ErrNotFound) {
				return fmt.Errorf("service %s: %w", list[i].Turn.Service, err)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("keeping what the ranking found: %w", err)
	}
	return nil
}

func (x *index) keepJudged(ctx context.Context, tx *sql.Tx, j *Judged, now time.Time) error {
	if err := x.endTurn(ctx, tx, j.Turn, now, j.Failure); err != nil || j.Failure != nil {
		return err
	}
	at, version := now.UnixMilli(), cut(j.Version)
	_, err := x.exec(ctx, tx, "UPDATE ranking_services SET owner = $1, cores = $2, judged = $3, "+
		"since = CASE WHEN since = 0 THEN $3 ELSE since END WHERE source = $4 AND service = $5",
		cut(j.Owner), j.Cores, at, j.Turn.Source, j.Turn.Service)
	if err != nil {
		return err
	}
	if version != "" { // what is on the right is the row as it was
		_, err := x.exec(ctx, tx, "UPDATE ranking_services SET earlier_version = version, version = $1, "+
			"version_since = $2 WHERE source = $3 AND service = $4 AND version <> $1", version, at, j.Turn.Source,
			j.Turn.Service)
		if err != nil {
			return err
		}
	}
	for i := range j.Findings {
		if err := x.keepRanked(ctx, tx, j.Turn, &j.Findings[i], now); err != nil {
			return err
		}
	}
	return nil
}

func (x *index) keepRanked(ctx context.Context, tx *sql.Tx, t Turn, f *RankedFinding, now time.Time) error {
	_, err := x.exec(ctx, tx, "INSERT INTO ranking_findings (source, service, kind, function, file, line, id, title, "+
		"score, share, cores, case_id, since, seen) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13) "+
		"ON CONFLICT (source, service, kind, function) DO UPDATE SET file = $5, line = $6, id = $7, title = $8, "+
		"score = $9, share = $10, cores = $11, case_id = $12, seen = $13, "+
		"since = CASE WHEN ranking_findings.seen < $14 THEN $13 ELSE ranking_findings.since END",
		t.Source, t.Service, cut(f.Kind), cut(f.Function), cut(f.File), f.Line, cut(f.ID), cut(f.Title), f.Score, f.Share,
		f.Cores, cut(f.Case), now.UnixMilli(), now.Add(-rankAgain).UnixMilli())
	return err
}
