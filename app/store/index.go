package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/closing"
	"github.com/gocasebook/casebook/casefile"
)

// A database that does not answer is away.
const (
	commitTimeout = time.Minute      // of a transaction
	lookupTimeout = 15 * time.Second // of a row that is found by its key
)

// An index is the database.
type index struct {
	db *sql.DB
	d  dialect
}

func openIndex(ctx context.Context, where string) (*index, error) {
	db, d, err := connect(ctx, where)
	if err != nil {
		return nil, err
	}
	x := &index{db, d}
	if err := migrate(ctx, db, d); err != nil {
		return nil, errors.Join(x.explain(err), db.Close())
	}
	return x, nil
}

func (x *index) close() error { return x.db.Close() }

func (x *index) ping(ctx context.Context) error { return x.explain(x.db.PingContext(ctx)) }

// explain gives a database's error one of the store's names.
func (x *index) explain(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, sql.ErrNoRows):
		return ErrNotFound
	}
	return x.d.explain(err)
}

// within runs fn in a transaction.
func (x *index) within(ctx context.Context, fn func(*sql.Tx) error) (err error) {
	tx, err := x.db.BeginTx(ctx, nil)
	if err != nil {
		return x.explain(err)
	}
	defer func() { err = errors.Join(err, x.explain(rollback(tx))) }()
	if err := fn(tx); err != nil {
		return x.explain(err)
	}
	return x.explain(tx.Commit())
}

// sql puts SQLite's form of numbered placeholders in the place of PostgreSQL's: there $2 is a name, and counts by where
// it stands first. Statements have no other use for the sign.
func (x *index) sql(text string) string {
	if x.d.name == sqliteDialect().name {
		return strings.ReplaceAll(text, "$", "?")
	}
	return text
}

// An executor is a database or a transaction.
type executor interface {
	ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error)
}

func (x *index) exec(ctx context.Context, on executor, text string, args ...any) (sql.Result, error) {
	return on.ExecContext(ctx, x.sql(text), args...)
}

func (x *index) query(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	return x.db.QueryContext(ctx, x.sql(text), args...)
}

func (x *index) queryRow(ctx context.Context, text string, args ...any) *sql.Row {
	return x.db.QueryRowContext(ctx, x.sql(text), args...)
}

// insert adds rows in one transaction. Of a row whose ID is taken the answer is ErrExists, of one whose blobs a sweep
// may have taken errSwept, and the others go in.
func (x *index) insert(ctx context.Context, rows []*row) ([]error, error) {
	answers := make([]error, len(rows))
	err := x.within(ctx, func(tx *sql.Tx) error {
		bound, err := x.lockBound(ctx, tx)
		if err != nil {
			return err
		}
		for i, r := range rows {
			err := x.insertRow(ctx, tx, r, bound)
			if err != nil && !errors.Is(err, ErrExists) && !errors.Is(err, errSwept) {
				return fmt.Errorf("case %s: %w", r.id, err)
			}
			answers[i] = err
		}
		return nil
	})
	return answers, err
}

func (x *index) insertRow(ctx context.Context, tx *sql.Tx, r *row, bound int64) error {
	if err := x.mayName(ctx, tx, r, bound); err != nil {
		return err
	}
	fresh, err := x.insertCase(ctx, tx, r)
	switch {
	case err != nil:
		return err
	case !fresh:
		return ErrExists
	}
	return x.insertRest(ctx, tx, r)
}

const caseColumns = "id, opened, received, service, version, rule, trigger_text, findings, kind, title, score, " +
	"worst, verdict, proof, bytes"

// summaryColumns are what scanSummary reads.
const summaryColumns = caseColumns + ", pinned"

func (x *index) insertCase(ctx context.Context, tx *sql.Tx, r *row) (fresh bool, err error) {
	s := &r.summary
	done, err := x.exec(ctx, tx, "INSERT INTO cases ("+caseColumns+", search, worst_open) VALUES "+
		"($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17) ON CONFLICT (id) DO NOTHING",
		s.ID, s.Opened.UnixMilli(), s.Received.UnixMilli(), s.Service, s.Version, s.Rule, s.Text, s.Findings, s.Kind,
		s.Title, s.Score, s.Worst, s.Verdict, s.Proof, s.Bytes, r.text, r.worstOpen)
	if err != nil {
		return false, err
	}
	n, err := done.RowsAffected()
	return n == 1, err
}

func (x *index) insertRest(ctx context.Context, tx *sql.Tx, r *row) error {
	_, err := x.exec(ctx, tx, "INSERT INTO records (case_id, sum, received_sum, data) VALUES ($1, $2, $3, $4)", r.id,
		r.recordSum, r.receivedSum, r.record)
	if err != nil {
		return err
	}
	for i := range r.evidence {
		e := &r.evidence[i]
		_, err := x.exec(ctx, tx,
			"INSERT INTO evidence (case_id, place, file, kind, phase, bytes, sum, stamp) VALUES "+
				"($1, $2, $3, $4, $5, $6, $7, $8)", r.id, i, e.File, cut(e.Kind), cut(string(e.Phase)), e.Bytes, e.SHA256, r.stamps[i])
		if err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.labels)) {
		_, err := x.exec(ctx, tx,
			"INSERT INTO labels (case_id, name, value) VALUES ($1, $2, $3) ON CONFLICT (case_id, name) DO NOTHING", r.id,
			cut(name), cut(r.labels[name]))
		if err != nil {
			return err
		}
	}
	if err := x.insertFindings(ctx, tx, r); err != nil {
		return err
	}
	for _, job := range [...]struct {
		work   string
		wanted bool
	}{{Diagnose, r.undiagnosed}, {Annotate, r.annotate}, {Ask, r.ask}} {
		if !job.wanted {
			continue
		}
		if err := x.insertJob(ctx, tx, r.id, job.work, r.received); err != nil {
			return err
		}
	}
	return nil
}

func (x *index) insertFindings(ctx context.Context, tx *sql.Tx, r *row) error {
	for i := range r.findings {
		f := &r.findings[i]
		_, err := x.exec(ctx, tx, "INSERT INTO findings (case_id, place, id, kind, score, function, resource, share, "+
			"closed) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)", r.id, i, cut(f.ID), cut(f.Kind), f.Score,
			cut(PlaceOf(f).Function),
			cut(f.Impact.Resource), f.Impact.Share, btoi(closing.Closes(r.proof, f)))
		if err != nil {
			return err
		}
	}
	return nil
}

// replace puts a changed case.json in the place of the one whose sum is known.
func (x *index) replace(ctx context.Context, r *row, known string) error {
	return x.within(ctx, func(tx *sql.Tx) error {
		done, err := x.exec(ctx, tx, "UPDATE records SET sum = $1, data = $2 WHERE case_id = $3 AND sum = $4",
			r.recordSum, r.record, r.id, known)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n != 1 {
			return errors.Join(err, ErrConflict)
		}
		s := &r.summary
		_, err = x.exec(ctx, tx, "UPDATE cases SET findings = $1, kind = $2, title = $3, score = $4, worst = $5, "+
			"verdict = $6, proof = $7, search = $8, worst_open = $9 WHERE id = $10", s.Findings, s.Kind, s.Title,
			s.Score,
			s.Worst, s.Verdict, s.Proof, r.text, r.worstOpen, r.id)
		if err != nil {
			return err
		}
		if _, err := x.exec(ctx, tx, "DELETE FROM findings WHERE case_id = $1", r.id); err != nil {
			return err
		}
		return x.insertFindings(ctx, tx, r)
	})
}

func (x *index) remove(ctx context.Context, id string) error {
	if !casefile.ValidID(id) {
		return ErrNotFound
	}
	return x.within(ctx, func(tx *sql.Tx) error {
		done, err := x.exec(ctx, tx, "DELETE FROM cases WHERE id = $1", id)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n != 1 {
			return errors.Join(err, ErrNotFound)
		}
		return nil
	})
}

// A record is case.json.
type record struct {
	data []byte
	sum  string
}

func (x *index) record(ctx context.Context, id string) (record, error) {
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	var r record
	if !casefile.ValidID(id) { // PostgreSQL takes not every text as a parameter
		return r, ErrNotFound
	}
	err := x.queryRow(ctx, "SELECT data, sum FROM records WHERE case_id = $1", id).Scan(&r.data, &r.sum)
	return r, x.explain(err)
}

// received returns the sum of the case.json that the sender sent.
func (x *index) received(ctx context.Context, id string) (sum string, err error) {
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	err = x.queryRow(ctx, "SELECT received_sum FROM records WHERE case_id = $1", id).Scan(&sum)
	return sum, x.explain(err)
}

// evidence returns a piece and the name of its blob.
func (x *index) evidence(ctx context.Context, id, file string) (e casefile.Evidence, blob string, err error) {
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	e.File = file
	if !casefile.ValidID(id) || file != cut(file) {
		return e, "", ErrNotFound
	}
	var stamp int64
	err = x.queryRow(ctx, "SELECT kind, phase, bytes, sum, stamp FROM evidence WHERE case_id = $1 AND file = $2", id,
		file).Scan(&e.Kind, &e.Phase, &e.Bytes, &e.SHA256, &stamp)
	return e, blobName(e.SHA256, stamp), x.explain(err)
}
