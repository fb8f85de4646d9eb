package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/closing"
	"github.com/gocasebook/casebook/casefile"
)

// Activity is how often a service has had cases lately.
type Activity struct {
	Service string
	Open    int   // cases of the last OpenDays with a finding of 25 or more that no proof closes
	Days    []int // cases of each of the last ActivityDays days (UTC), the last is today
	Recent  int   // cases of the last 24 hours
	Before  int   // cases of the 24 hours before those
}

const (
	// ActivityDays is two weeks: what comes on one weekday alone is there twice.
	ActivityDays = 14
	// OpenDays is how long a case asks for somebody, unless a proof closes it. After a week what it shows is history, and
	// what still costs has newer cases, or a place in the ranking.
	OpenDays = 7
	// openScore is that of a finding that asks for somebody.
	openScore = 25
)

// activityOf collects what happened, by service.
type activityOf struct {
	now  time.Time
	of   map[string]*Activity
	from time.Time // the beginning of the first day
}

func newActivity(now time.Time) *activityOf {
	now = now.UTC()
	return &activityOf{now, make(map[string]*Activity), now.Truncate(day).Add(-(ActivityDays - 1) * day)}
}

// openFrom is when an open case was opened at the earliest.
func (a *activityOf) openFrom() time.Time { return a.now.Add(-OpenDays * day) }

// add counts cases of a service's day, or of a moment.
func (a *activityOf) add(service string, at time.Time, n, open, recent, before int) {
	one := a.of[service]
	if one == nil {
		one = &Activity{Service: service, Days: make([]int, ActivityDays)}
		a.of[service] = one
	}
	// a clock that is ahead makes cases of tomorrow
	i := min(max(int(at.UTC().Sub(a.from)/day), 0), ActivityDays-1)
	one.Days[i] += n
	one.Open, one.Recent, one.Before = one.Open+open, one.Recent+recent, one.Before+before
}

// list has those with the most open cases first.
func (a *activityOf) list() []Activity {
	all := make([]Activity, 0, len(a.of))
	for _, one := range a.of {
		all = append(all, *one)
	}
	slices.SortFunc(all, func(x, y Activity) int {
		if x.Open != y.Open {
			return y.Open - x.Open
		}
		return strings.Compare(x.Service, y.Service)
	})
	return all
}

// Activity lists the services that have had cases in the last two weeks, those with the most open cases first.
func (s *Store) Activity(ctx context.Context) ([]Activity, error) {
	a := newActivity(s.now())
	rows, err := s.index.query(ctx, "SELECT service, opened / 86400000, COUNT(*), "+
		"SUM(CASE WHEN opened >= $2 AND worst_open >= $5 THEN 1 ELSE 0 END), "+
		"SUM(CASE WHEN opened >= $3 THEN 1 ELSE 0 END), "+
		"SUM(CASE WHEN opened >= $4 AND opened < $3 THEN 1 ELSE 0 END) "+
		"FROM cases WHERE opened >= $1 GROUP BY service, opened / 86400000", a.from.UnixMilli(), a.openFrom().UnixMilli(),
		a.now.Add(-day).UnixMilli(), a.now.Add(-2*day).UnixMilli(), openScore)
	if err != nil {
		return nil, fmt.Errorf("counting cases: %w", s.index.explain(err))
	}
	defer rows.Close()
	for rows.Next() {
		var service string
		var at int64
		var n, open, recent, before int
		if err := rows.Scan(&service, &at, &n, &open, &recent, &before); err != nil {
			return nil, fmt.Errorf("counting cases: %w", s.index.explain(err))
		}
		a.add(service, time.UnixMilli(at*day.Milliseconds()), n, open, recent, before)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("counting cases: %w", s.index.explain(err))
	}
	return a.list(), nil
}

// maxShelfProofs bounds the cases that are read for their proof, which the folder's index does not have.
const maxShelfProofs = 200

// Activity is Store.Activity, of the newest cases while not all have been read. Of more than 200 open cases, the proofs
// of the others are not looked at.
func (s *Shelf) Activity(ctx context.Context) ([]Activity, error) {
	a := newActivity(time.Now())
	read := 0
	err := s.count(ctx, func(c casefile.Summary) bool {
		if c.Opened.Before(a.from) { // they come newest first
			return false
		}
		open := c.Worst >= openScore && !c.Opened.Before(a.openFrom())
		if open && read < maxShelfProofs {
			read++
			f, err := casefile.Open(c.Path)
			open = err != nil || closing.Worst(&f.Case) >= openScore
		}
		age := a.now.Sub(c.Opened)
		a.add(c.Target, c.Opened, 1, btoi(open), btoi(age <= day), btoi(age > day && age <= 2*day))
		return true
	})
	if err != nil {
		return nil, fmt.Errorf("counting cases: %w", err)
	}
	return a.list(), nil
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
