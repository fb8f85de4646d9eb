package tables

import (
	"context"
	"fmt"
	"time"
)

// Options say how much is measured. The zero value takes about five minutes on two cores, and 2 GB.
type Options struct {
	// Quick does a small part of the work, for tests: the figures mean nothing.
	Quick bool
	// Measure is how long each contestant runs, all its turns together; 0: 0.7 s. The task table runs a number of tasks
	// instead, and with Measure the number of its turns grows.
	Measure time.Duration
	// Progress is called with the title of each table before it is measured; nil: nobody is told.
	Progress func(title string)
	// Done is called after each table with the time it took; nil: nobody is told.
	Done func(title string, took time.Duration)
}

// A group is a table that can be measured.
type group struct {
	title string
	run   func(context.Context, pace) (Table, error)
}

func groups() []group {
	return []group{
		{arraysTitle, arraysTable},
		{rangeTitle, rangeTable},
		{goroutinesTitle, goroutinesTable},
		{idleTitle, idleTable},
		{poolTitle, poolTable},
		{mapPoolTitle, mapPoolTable},
		{objectsTitle, objectsTable},
		{growTitle, growTable},
		{layoutTitle, layoutTable},
		{deferTitle, deferTable},
		{mutexTitle, mutexTable},
		{readersTitle, readersTable},
		{modesTitle, modesTable},
		{limiterTitle, limiterTable},
		{channelsTitle, channelsTable},
		{contextsTitle, contextsTable},
		{writesTitle, writesTable},
		{httpTitle, httpTable},
		{codecsTitle, codecsTable},
		{codecBytesTitle, codecBytesTable},
		{fieldsTitle, fieldsTable},
		{compressionTitle, compressionTable},
		{lookupTitle, lookupTable},
		{conversionsTitle, conversionsTable},
		{newTitle, newTable},
		{branchesTitle, branchesTable},
		{pausesTitle, pausesTable},
	}
}

// Run measures all tables, one after the other. When ctx ends it returns the tables that were finished, and ctx's
// error. An error of a contestant (a wrong result, a server that cannot listen) ends the run likewise.
func Run(ctx context.Context, o Options) ([]Table, error) {
	var done []Table
	for _, g := range groups() {
		if o.Progress != nil {
			o.Progress(g.title)
		}
		began := time.Now()
		t, err := g.run(ctx, paceOf(o))
		if err != nil {
			return done, fmt.Errorf("measuring %q: %w", g.title, err)
		}
		done = append(done, t)
		if o.Done != nil {
			o.Done(g.title, time.Since(began))
		}
	}
	return done, nil
}
