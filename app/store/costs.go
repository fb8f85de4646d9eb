package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
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

// maxCosts bounds the findings of open cases: each is a time series in whoever reads them.
const maxCosts = 1000

// costKey is what makes a finding the same one.
type costKey struct{ source, service, id, kind, function string }

func (c *Cost) key() costKey { return costKey{c.Source, c.Service, c.ID, c.Kind, c.Function} }

// Costs lists the findings of the ranking and of open cases (OpenDays), those of the highest score first: the 500 of
// the ranking that cost most, and of cases the 1,000 of the highest score. Of a finding that several open cases have,
// the newest case counts.
func (s *Store) Costs(ctx context.Context) ([]Cost, error) {
	all, err := s.costs(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading what findings cost: %w", s.index.explain(err))
	}
	return all, nil
}

func (s *Store) costs(ctx context.Context) ([]Cost, error) {
	now := s.now()
	ranked, err := s.index.ranked(ctx, now, "f.seen >= s.judged ORDER BY f.cores DESC, f.score DESC, f.service, f.kind, "+
		"f.function LIMIT $2", now.Add(-rankFresh).UnixMilli(), maxRanked)
	if err != nil {
		return nil, err
	}
	all, err := s.index.openCosts(ctx, now.Add(-OpenDays*day).UnixMilli())
	if err != nil {
		return nil, err
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
	return all, nil
}

func costOf(f *RankedFinding) Cost {
	return Cost{Source: f.Source, Service: f.Service, Version: f.Version, ID: f.ID, Kind: f.Kind, Function: f.Function,
		Score: f.Score, Resource: "cpu", Share: f.Share, Cores: f.Cores}
}

// openCosts are the findings of cases that were opened since then and have no proof that is better.
func (x *index) openCosts(ctx context.Context, since int64) ([]Cost, error) {
	rows, err := x.query(ctx, "SELECT service, version, id, kind, function, score, resource, share FROM "+
		"(SELECT c.service, c.version, f.id, f.kind, f.function, f.score, f.resource, f.share, "+
		"ROW_NUMBER() OVER (PARTITION BY c.service, f.id, f.kind, f.function ORDER BY c.opened DESC, c.id DESC, f.place) "+
		"AS age FROM cases c JOIN findings f ON f.case_id = c.id WHERE c.opened >= $1 AND c.proof <> $2 AND f.score >= $3) "+
		"AS newest WHERE age = 1 ORDER BY score DESC, service, kind, function, id LIMIT $4", since, string(casefile.Better),
		openScore, maxCosts)
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
