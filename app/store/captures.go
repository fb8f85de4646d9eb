package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// A Capture is a case that somebody asked for: an alert, or a person. The database is the queue, as for jobs, and holds
// what became of it: people ask.
type Capture struct {
	ID      string    `json:"id"`
	Source  string    `json:"source"` // "alertmanager", "grafana", "person"
	Target  string    `json:"target"` // its ID
	Service string    `json:"service"`
	Reason  string    `json:"reason"`
	Who     string    `json:"who,omitempty"`  // the token's name
	Began   time.Time `json:"began,omitzero"` // of the alert
	Ended   time.Time `json:"ended,omitzero"` // of the alert
	Asked   time.Time `json:"asked"`
	State   State     `json:"state"`
	Case    string    `json:"case,omitempty"`    // that was opened, or was being taken already
	Failure string    `json:"failure,omitempty"` // why it is not done, or never will be

	// Alert names an alert by its sender, fingerprint and start: what ends one ends all captures of it. A person's has
	// none.
	Alert  string `json:"-"`
	Tries  int    `json:"-"` // how often it was taken, with this time
	holder string
}

// A State is what became of a Capture.
type State string

// The states.
const (
	Waiting State = "waiting" // for its target, or for its turn
	Done    State = "done"    // there is a case
	Dropped State = "dropped" // the alert ended before, or nothing could be captured for CaptureAge
)

const (
	// CaptureAge is how long a capture is worth taking: what is captured later does not show what was asked for.
	CaptureAge = 15 * time.Minute
	// captureKept is how long what became of a capture can be read.
	captureKept = 30 * 24 * time.Hour
	// maxWaiting bounds the captures that wait. A sender of more is told to come back.
	maxWaiting = 1000
)

// ErrBusy says that too much waits already.
var ErrBusy = fmt.Errorf("%w: it is busy", ErrUnavailable)

const captureColumns = "id, alert, source, target, service, reason, who, began, ended, asked, state, tries, case_id, " +
	"failure"

// AddCapture asks for a case. known says that the same was asked for before. It is durable when AddCapture returns.
func (s *Store) AddCapture(ctx context.Context, c Capture) (known bool, err error) {
	now := s.now()
	err = s.index.within(ctx, func(tx *sql.Tx) error {
		known, err = s.index.insertCapture(ctx, tx, &c, now)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("asking for a capture: %w", err)
	}
	return known, nil
}

func (x *index) insertCapture(ctx context.Context, tx *sql.Tx, c *Capture, now time.Time) (known bool, err error) {
	if _, err := x.exec(ctx, tx, "DELETE FROM captures WHERE asked < $1", now.Add(-captureKept).UnixMilli()); err != nil {
		return false, err
	}
	done, err := x.exec(ctx, tx, "INSERT INTO captures ("+captureColumns+", due, holder, held_until) VALUES "+
		"($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0, '', '', $10, '', 0) ON CONFLICT (id) DO NOTHING",
		cut(c.ID), cut(c.Alert), cut(c.Source), cut(c.Target), cut(c.Service), cut(c.Reason), cut(c.Who),
		milli(c.Began), milli(c.Ended), now.UnixMilli(), string(Waiting))
	if err != nil {
		return false, err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return true, err
	}
	var waiting int
	err = tx.QueryRowContext(ctx, x.sql("SELECT COUNT(*) FROM captures WHERE state = $1"), string(Waiting)).Scan(&waiting)
	if err == nil && waiting > maxWaiting {
		err = fmt.Errorf("%w: too many captures wait already", ErrBusy)
	}
	return false, err
}

// milli is a time as the tables have it, and 0 for none.
func milli(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// fromStored is milli's other direction.
func fromStored(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return fromMilli(ms)
}

// TakeCapture takes the capture that waits longest for one of some targets, for a time. ErrNotFound says that none does.
// holder names the process: no two may have the same.
func (s *Store) TakeCapture(ctx context.Context, holder string, targets []string, hold time.Duration) (Capture, error) {
	if len(targets) == 0 {
		return Capture{}, ErrNotFound
	}
	now := s.now()
	args := []any{holder, now.Add(hold).UnixMilli(), now.UnixMilli(), string(Waiting)}
	row := s.index.queryRow(ctx, "UPDATE captures SET holder = $1, held_until = $2, tries = tries + 1 WHERE id = ("+
		"SELECT id FROM captures WHERE state = $4 AND due <= $3 AND held_until < $3 AND target IN ("+
		placeholders(&args, targets)+") ORDER BY due, id LIMIT 1"+s.index.skipLocked()+") RETURNING "+captureColumns,
		args...)
	c, err := scanCapture(row)
	if err != nil {
		return Capture{}, fmt.Errorf("taking a capture: %w", s.index.explain(err))
	}
	c.holder = holder
	return c, nil
}

// CaptureTaken keeps which case a capture came to, before it is finished: whoever takes it next goes on from there.
func (s *Store) CaptureTaken(ctx context.Context, c Capture) error {
	return s.changeCapture(ctx, c, "case_id = $3", c.Case)
}

// CaptureDone finishes a capture. ErrConflict says that its alert ended since c was read, and the case has to say so.
func (s *Store) CaptureDone(ctx context.Context, c Capture) error {
	err := s.index.changeOne(ctx, "UPDATE captures SET state = $3, case_id = $4, failure = '', holder = '', "+
		"held_until = 0 WHERE id = $1 AND holder = $2 AND ended = $5", c.ID, c.holder, string(Done), c.Case, milli(c.Ended))
	if errors.Is(err, ErrNotFound) {
		if now, look := s.Capture(ctx, c.ID); look == nil && !now.Ended.Equal(c.Ended) {
			return ErrConflict
		}
	}
	return err
}

// CaptureDropped gives a capture up.
func (s *Store) CaptureDropped(ctx context.Context, c Capture, why error) error {
	return s.changeCapture(ctx, c, "state = $3, failure = $4, holder = '', held_until = 0", string(Dropped),
		cut(why.Error()))
}

// CaptureFailed puts a capture back, to be taken again after a while.
func (s *Store) CaptureFailed(ctx context.Context, c Capture, why error, after time.Duration) error {
	return s.changeCapture(ctx, c, "failure = $3, due = $4, holder = '', held_until = 0", cut(why.Error()),
		s.now().Add(after).UnixMilli())
}

// changeCapture changes a capture that its holder still has.
func (s *Store) changeCapture(ctx context.Context, c Capture, set string, args ...any) error {
	return s.index.changeOne(ctx, "UPDATE captures SET "+set+" WHERE id = $1 AND holder = $2",
		append([]any{c.ID, c.holder}, args...)...)
}

// changeOne runs a statement that changes one row. ErrNotFound says that it changed none.
func (x *index) changeOne(ctx context.Context, statement string, args ...any) error {
	done, err := x.exec(ctx, x.db, statement, args...)
	if err != nil {
		return x.explain(err)
	}
	if n, err := done.RowsAffected(); err != nil || n != 1 {
		return errors.Join(err, ErrNotFound)
	}
	return nil
}

// EndAlert says when an alert ended. Captures of it that still wait are dropped, and the cases of those that are done
// say so, too.
func (s *Store) EndAlert(ctx context.Context, alert string, at time.Time) error {
	var done []Capture
	err := s.index.within(ctx, func(tx *sql.Tx) (err error) {
		done, err = s.index.endAlert(ctx, tx, cut(alert), milli(at))
		return err
	})
	for _, c := range done {
		if noted := s.NoteAlert(ctx, c); !errors.Is(noted, ErrNotFound) { // somebody removed the case
			err = errors.Join(err, noted)
		}
	}
	if err != nil {
		return fmt.Errorf("ending an alert: %w", err)
	}
	return nil
}

// endAlert returns the captures of an alert that are done. Whoever is taking one now sees its end.
func (x *index) endAlert(ctx context.Context, tx *sql.Tx, alert string, at int64) ([]Capture, error) {
	if _, err := x.exec(ctx, tx, "UPDATE captures SET ended = $1 WHERE alert = $2", at, alert); err != nil {
		return nil, err
	}
	_, err := x.exec(ctx, tx, "UPDATE captures SET state = $1, failure = $2 WHERE alert = $3 AND state = $4 AND "+
		"holder = ''", string(Dropped), "the alert ended before its turn came", alert, string(Waiting))
	if err != nil {
		return nil, err
	}
	rows, err := tx.QueryContext(ctx, x.sql("SELECT "+captureColumns+" FROM captures WHERE alert = $1 AND state = $2"),
		alert, string(Done))
	if err != nil {
		return nil, err
	}
	return scanCaptures(rows)
}

// RuleAlert is the rule of a trigger that an alert adds to a case that was being taken already.
const RuleAlert = "alert"

// NoteAlert writes the alert of a capture into its case: that it fired, if the case was opened for something else, and
// when it ended.
func (s *Store) NoteAlert(ctx context.Context, c Capture) error {
	if c.Alert == "" {
		return nil
	}
	return s.Change(ctx, c.Case, func(into *casefile.Case) {
		t := triggerOf(into, c.ID)
		if t == nil {
			into.Also = append(into.Also, casefile.Trigger{Rule: RuleAlert, Time: c.Began, Text: c.Reason, Alert: c.ID})
			t = &into.Also[len(into.Also)-1]
		}
		if !c.Ended.IsZero() {
			t.Ended = c.Ended
		}
	})
}

// triggerOf is the trigger that the alert of a capture has in a case; nil for none.
func triggerOf(c *casefile.Case, capture string) *casefile.Trigger {
	if c.Trigger.Alert == capture {
		return &c.Trigger
	}
	for i := range c.Also {
		if c.Also[i].Alert == capture {
			return &c.Also[i]
		}
	}
	return nil
}

// Capture returns what became of a capture.
func (s *Store) Capture(ctx context.Context, id string) (Capture, error) {
	c, err := scanCapture(s.index.queryRow(ctx, "SELECT "+captureColumns+" FROM captures WHERE id = $1", cut(id)))
	if err != nil {
		return Capture{}, fmt.Errorf("reading capture %.60q: %w", id, s.index.explain(err))
	}
	return c, nil
}

// Captures lists the captures of a target, or of all for "", the newest first.
func (s *Store) Captures(ctx context.Context, target string, limit int) ([]Capture, error) {
	rows, err := s.index.query(ctx, "SELECT "+captureColumns+" FROM captures WHERE $1 = '' OR target = $1 "+
		"ORDER BY asked DESC, id LIMIT $2", cut(target), pageSize(limit))
	if err != nil {
		return nil, fmt.Errorf("listing captures: %w", s.index.explain(err))
	}
	list, err := scanCaptures(rows)
	if err != nil {
		return nil, fmt.Errorf("listing captures: %w", s.index.explain(err))
	}
	return list, nil
}

func scanCaptures(rows *sql.Rows) ([]Capture, error) {
	defer rows.Close()
	list := []Capture{}
	for rows.Next() {
		c, err := scanCapture(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, rows.Err()
}

func scanCapture(row interface{ Scan(...any) error }) (Capture, error) {
	var c Capture
	var began, ended, asked int64
	err := row.Scan(&c.ID, &c.Alert, &c.Source, &c.Target, &c.Service, &c.Reason, &c.Who, &began, &ended, &asked,
		&c.State, &c.Tries, &c.Case, &c.Failure)
	c.Began, c.Ended, c.Asked = fromStored(began), fromStored(ended), fromStored(asked)
	return c, err
}
