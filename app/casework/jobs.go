package casework

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/store"
)

const (
	jobHold  = 10 * time.Minute // a diagnosis takes seconds; a process that dies gives its job back after this
	jobPause = 2 * time.Second  // between looks at an empty queue
	jobTries = 5                // then a job waits a day
)

// A Work does what a case of a store waits for. An error lets it be tried again later.
type Work func(ctx context.Context, s *store.Store, id string) error

// DoJobs does the jobs of a store by their works, until ctx ends. Several processes that share a store share the jobs.
// What could not be done is told, and tried again later.
func DoJobs(ctx context.Context, s *store.Store, works map[string]Work, tell func(error)) {
	host, _ := os.Hostname()
	holder := fmt.Sprintf("%s/%d/%s", host, os.Getpid(), rand.Text())
	for ctx.Err() == nil {
		worked, err := doNext(ctx, s, holder, works)
		if err != nil && ctx.Err() == nil {
			tell(err)
		}
		if !worked {
			select {
			case <-ctx.Done():
			case <-time.After(jobPause):
			}
		}
	}
}

// doNext does one job. worked says that there was one.
func doNext(ctx context.Context, s *store.Store, holder string, works map[string]Work) (worked bool, err error) {
	j, err := s.TakeJob(ctx, holder, jobHold, slices.Sorted(maps.Keys(works))...)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := works[j.Work](ctx, s, j.Case); err != nil {
		after := time.Minute << min(j.Tries, jobTries)
		if j.Tries >= jobTries {
			after = 24 * time.Hour
		}
		return true, errors.Join(err, s.JobFailed(ctx, j, err, after))
	}
	return true, s.JobDone(ctx, j)
}

// DiagnoseReceived is the Work that diagnoses a case which came without a diagnosis.
func DiagnoseReceived(ctx context.Context, s *store.Store, id string) (err error) {
	c, err := s.Checkout(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil // removed
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	// An error may be of a piece of evidence that cannot be read: the case was judged without it, and says so.
	var failed error
	if err := InTurn(ctx, func() { failed = casebook.Diagnose(ctx, c.Folder) }); err != nil {
		return err
	}
	if d := &c.Folder.Case.Diagnosis; failed != nil && len(d.Findings)+len(d.Undecided) == 0 {
		return failed
	}
	if err := c.Save(ctx); !errors.Is(err, store.ErrConflict) {
		return err
	}
	return nil // somebody else has changed it, and with it diagnosed it
}
