package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// A Cost is a finding that asks for somebody now: one of the ranking, or one of an open case.
type Cost struct {
	Source   string // SourceCases, or the address of an engine
	Service  string
	Version  string
	ID       string
	Kind     string
	Function string // the place to change; empty when it is about the whole process
	Score    int
	Resource string  // cpu, memory, …; empty where it is not known
	Share    float64 // 0–1 of that resource of the service
	Cores    float64 // what the share of the CPU is; 0 where it is not known
}

// costKey is what makes a finding the same one.
type costKey struct{ source, service, id, kind, function string }

func (c *Cost) key() costKey { return costKey{c.Source, c.Service, c.ID, c.Kind, c.Function} }

// Costs lists the findings of the ranking and of open cases (OpenDays), those of the highest score first: of the ranking
// as many as are asked for, those that cost most, and of open cases as many, those of the highest score. leftOut is how
// many more there are. Of a finding that several open cases have, the newest case counts.
func (s *Store) Costs(ctx context.Context, most int) (list []Cost, leftOut int, err error) {
	list, leftOut, err = s.costs(ctx, most)
	if err != nil {
		return nil, 0, fmt.Errorf("reading what findings cost: %w", s.index.explain(err))
	}
	return list, leftOut, nil
}

func (s *Store) costs(ctx context.Context, most int) (all []Cost, leftOut int, err error) {
	now := s.now()
	const shown = "f.seen >= s.judged"
	fresh, since := now.Add(-rankFresh).UnixMilli(), now.Add(-OpenDays*day).UnixMilli()
	ranked, err := s.index.ranked(ctx, now, shown+" ORDER BY f.cores DESC, f.score DESC, f.service, f.kind, "+
		"f.function LIMIT $2", fresh, most)
	if err == nil && len(ranked) == most {
		leftOut, err = s.index.beyond(ctx, most, rankedFrom+shown, fresh)
	}
	if err != nil {
		return nil, 0, err
	}
	all, err = s.index.openCosts(ctx, since, most)
	if err == nil && len(all) == most {
		var more int
		more, err = s.index.beyond(ctx, most, openFrom, since, openScore)
		leftOut += more
	}
	if err != nil {
		return nil, 0, err
	}
	at := make(map[costKey]int)
	for i := range all {
		at[all[i].key()] = i
	}
	for i := range ranked {
		c := costOf(&ranked[i])
		if k, ok := at[c.key()]; ok { // its case is open
			all[k].Cores = c.Cores
		} else {
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b Cost) int { return cmp.Compare(b.Score, a.Score) })
	return all, leftOut, nil
}

// beyond is how many rows there are more than so many.
func (x *index) beyond(ctx context.Context, most int, from string, args ...any) (n int, err error) {
	err = x.queryRow(ctx, "SELECT COUNT(*) "+from, args...).Scan(&n)
	return max(n-most, 0), err
}

func costOf(f *RankedFinding) Cost {
	return Cost{Source: f.Source, Service: f.Service, Version: f.Version, ID: f.ID, Kind: f.Kind, Function: f.Function,
		Score: f.Score, Resource: "cpu", Share: f.Share, Cores: f.Cores}
}

// openFrom lets the findings through of cases that were opened since $1, of a score of $2 at least, that no proof
// closes; of each the newest.
const openFrom = "FROM (SELECT c.service, c.version, f.id, f.kind, f.function, f.score, f.resource, f.share, " +
	"ROW_NUMBER() OVER (PARTITION BY c.service, f.id, f.kind, f.function ORDER BY c.opened DESC, c.id DESC, f.place) " +
	"AS age FROM cases c JOIN findings f ON f.case_id = c.id WHERE c.opened >= $1 AND f.closed = 0 " +
	"AND f.score >= $2) AS newest WHERE age = 1"

func (x *index) openCosts(ctx context.Context, since int64, most int) ([]Cost, error) {
	rows, err := x.query(ctx, "SELECT service, version, id, kind, function, score, resource, share "+openFrom+
		" ORDER BY score DESC, service, kind, function, id LIMIT $3", since, openScore, most)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []Cost
	for rows.Next() {
		c := Cost{Source: SourceCases}
		err := rows.Scan(&c.Service, &c.Version, &c.ID, &c.Kind, &c.Function, &c.Score, &c.Resource, &c.Share)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, rows.Err()
}
