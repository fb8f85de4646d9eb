package store

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Job is work that a case waits for. The database is the queue: any process that shares it may take a job, one does
// at a time, and a job whose process died is free again when its time is up.
type Job struct {
	Case   string
	Work   string // what is to be done: Diagnose, Annotate, Ask
	Tries  int    // how often it was taken, with this time
	holder string
}

// The works.
const (
	Diagnose = "diagnose" // each new case waits for it that came without a diagnosis
	Annotate = "annotate" // in Grafana; each new case of a store with Config.Annotate waits for it
	Ask      = "ask"      // an agent; each new case of a store with Config.Ask waits for it
)

func (x *index) insertJob(ctx context.Context, tx *sql.Tx, id, work string, due time.Time) error {
	_, err := x.exec(ctx, tx, "INSERT INTO jobs (case_id, work, due, tries, holder, held_until, failure) "+
		"VALUES ($1, $2, $3, 0, '', 0, '') ON CONFLICT (case_id, work) DO NOTHING", id, work, due.UnixMilli())
	return err
}

// TakeJob takes the job that is due longest, for a time; of some works, or of all if none is named. ErrNotFound says
// that none is due. holder names the process: no two may have the same.
func (s *Store) TakeJob(ctx context.Context, holder string, hold time.Duration, works ...string) (Job, error) {
	j, err := s.index.takeJob(ctx, holder, s.now(), hold, works)
	if err != nil {
		return Job{}, fmt.Errorf("taking a job: %w", err)
	}
	return j, nil
}

// takeJob is one statement, so that a process that ends in the middle leaves nothing behind. PostgreSQL's SKIP LOCKED
// lets several look at once; SQLite has one writer at a time.
func (x *index) takeJob(ctx context.Context, holder string, now time.Time, hold time.Duration, works []string) (Job,
	error) {
	args := []any{holder, now.Add(hold).UnixMilli(), now.UnixMilli()}
	of := ""
	if len(works) > 0 {
		of = " AND work IN (" + placeholders(&args, works) + ")"
	}
	j := Job{holder: holder}
	err := x.queryRow(ctx, "UPDATE jobs SET holder = $1, held_until = $2, tries = tries + 1 "+
		"WHERE (case_id, work) = (SELECT case_id, work FROM jobs WHERE due <= $3 AND held_until < $3"+of+
		" ORDER BY due, case_id LIMIT 1"+x.skipLocked()+") RETURNING case_id, work, tries", args...).Scan(&j.Case, &j.Work,
		&j.Tries)
	return j, x.explain(err)
}

// skipLocked lets several look into a queue at once.
func (x *index) skipLocked() string {
	if x.d.name == postgresDialect().name {
		return " FOR UPDATE SKIP LOCKED"
	}
	return ""
}

// placeholders adds texts to the arguments of a statement, and returns what stands for them.
func placeholders(args *[]any, texts []string) string {
	var marks []string
	for _, text := range texts {
		*args = append(*args, text)
		marks = append(marks, "$"+strconv.Itoa(len(*args)))
	}
	return strings.Join(marks, ", ")
}

// JobDone ends a job. ErrNotFound says that another process has it by now, because this one held it for too long.
func (s *Store) JobDone(ctx context.Context, j Job) error {
	return s.index.changeJob(ctx, j, "DELETE FROM jobs WHERE case_id = $1 AND work = $2 AND holder = $3")
}

// JobFailed puts a job back, to be taken again after a while.
func (s *Store) JobFailed(ctx context.Context, j Job, failure error, after time.Duration) error {
	return s.index.changeJob(ctx, j, "UPDATE jobs SET holder = '', held_until = 0, failure = $4, due = $5 "+
		"WHERE case_id = $1 AND work = $2 AND holder = $3", cut(failure.Error()), s.now().Add(after).UnixMilli())
}

func (x *index) changeJob(ctx context.Context, j Job, statement string, args ...any) error {
	if err := x.changeOne(ctx, statement, append([]any{j.Case, j.Work, j.holder}, args...)...); err != nil {
		return fmt.Errorf("job %s of case %s: %w", j.Work, j.Case, err)
	}
	return nil
}
