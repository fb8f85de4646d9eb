package main

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// A connection is a train's run between two stations.
type connection struct {
	train, from, to int64
	departs, lands  time.Duration // since midnight
}

type timetable struct {
	byStation [][]connection // by departure
}

func newTimetable(stations, runs int) *timetable {
	t := &timetable{byStation: make([][]connection, stations)}
	for i := range runs {
		from, to := i%stations, (i*i+i*7+1)%stations
		dep := time.Duration(i*37%1320) * time.Minute
		t.byStation[from] = append(t.byStation[from], connection{int64(i), int64(from), int64(to), dep,
			dep + time.Duration(20+i%70)*time.Minute})
	}
	for _, list := range t.byStation {
		slices.SortFunc(list, func(a, b connection) int { return cmp.Compare(a.departs, b.departs) })
	}
	return t
}

// leaving are the runs of a station from a time on.
func (t *timetable) leaving(station int64, after time.Duration) []connection {
	list := t.byStation[station]
	i, _ := slices.BinarySearchFunc(list, after, func(c connection, d time.Duration) int {
		return cmp.Compare(c.departs, d)
	})
	return list[i:]
}

// A Leg is a part of a journey without a change.
type Leg struct {
	From     string `json:"from"`
	To       string `json:"to"`
	Platform string `json:"platform"`
	Departs  string `json:"departs"`
	Lands    string `json:"lands"`

	run connection
}

// A Journey is the legs from here to there.
type Journey struct {
	Legs  []Leg `json:"legs"`
	Total int   `json:"minutes"`
}

// Planner finds journeys.
type Planner struct {
	table    *timetable
	stations *stationClient
}

// Plan returns up to four journeys, the quickest first.
func (p *Planner) Plan(ctx context.Context, from, to int) ([]Journey, error) {
	var found []Journey
	for start := 5 * time.Hour; start < 20*time.Hour && len(found) < 4; start += 3 * time.Hour {
		if runs := p.search(int64(from), int64(to), start); len(runs) > 0 {
			found = append(found, journeyOf(runs))
		}
	}
	slices.SortFunc(found, func(a, b Journey) int { return cmp.Compare(a.Total, b.Total) })
	for i := range found {
		if err := p.describe(ctx, &found[i]); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// search goes towards to by whichever run gets there, or closest to it, within three changes.
func (p *Planner) search(from, to int64, at time.Duration) (runs []connection) {
	for range 4 {
		next := p.table.leaving(from, at)
		if len(next) == 0 {
			break
		}
		best := slices.MinFunc(next, func(a, b connection) int {
			return cmp.Compare(apart(a.to, to)+int64(a.lands/time.Hour), apart(b.to, to)+int64(b.lands/time.Hour))
		})
		runs = append(runs, best)
		if from, at = best.to, best.lands+5*time.Minute; from == to {
			break
		}
	}
	return runs
}

func apart(a, b int64) int64 { return max(a-b, b-a) }

func journeyOf(runs []connection) Journey {
	j := Journey{Total: int((runs[len(runs)-1].lands - runs[0].departs) / time.Minute)}
	for _, r := range runs {
		j.Legs = append(j.Legs, Leg{Departs: clock(r.departs), Lands: clock(r.lands), run: r})
	}
	return j
}

// describe fills in what people read.
func (p *Planner) describe(ctx context.Context, j *Journey) (err error) {
	for i := range j.Legs {
		leg := &j.Legs[i]
		if leg.From, err = p.stations.Name(ctx, leg.run.from); err != nil {
			return err
		}
		if leg.To, err = p.stations.Name(ctx, leg.run.to); err != nil {
			return err
		}
		if leg.Platform, err = p.stations.Platform(ctx, leg.run.train); err != nil {
			return err
		}
	}
	return nil
}

func clock(d time.Duration) string { return time.Time{}.Add(d).Format("15:04") }
