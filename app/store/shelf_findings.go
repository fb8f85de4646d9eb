package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/gocasebook/casebook/app/closing"
	"github.com/gocasebook/casebook/casefile"
)

// warmDays is how old the cases are whose findings a Shelf reads beforehand: what no page asks for is read when
// somebody does.
const warmDays = 30

// caseFile is what a case's folder is read from.
const caseFile = "case.json"

// shelfFindings are the findings of a folder's cases, which the folder's index does not have: some 200 bytes each.
// Those of removed cases stay: a folder gets some cases a day.
type shelfFindings struct {
	mu    sync.Mutex // guards what follows
	known map[string]shelfCase
}

// A shelfCase is what is kept of case.json, and of which it is.
type shelfCase struct {
	size    int64
	changed time.Time
	worst   int // that no proof closes
	parts   []groupPart
}

// of are the findings of a case; none of one that cannot be read.
func (x *shelfFindings) of(c casefile.Summary) shelfCase {
	info, err := os.Stat(filepath.Join(c.Path, caseFile))
	if err != nil {
		return shelfCase{}
	}
	x.mu.Lock()
	have, known := x.known[c.ID]
	x.mu.Unlock()
	if known && have.size == info.Size() && have.changed.Equal(info.ModTime()) {
		return have
	}
	have = shelfCase{size: info.Size(), changed: info.ModTime()}
	if f, err := casefile.Open(c.Path); err == nil {
		have.worst = closing.Worst(&f.Case)
		have.parts = groupParts(&f.Case, func(x *casefile.Finding) bool { return closing.Closes(f.Case.Proof, x) })
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.known == nil {
		x.known = make(map[string]shelfCase)
	}
	x.known[c.ID] = have
	return have
}

// Groups is Store.Groups, of the newest cases while not all have been read.
func (s *Shelf) Groups(ctx context.Context, f GroupFilter) (Groups, error) {
	now := s.now()
	x := newGroups(f.Span, now)
	err := s.count(ctx, func(c casefile.Summary) bool {
		if c.Opened.Before(f.Span.From) { // they come newest first
			return false
		}
		if c.Worst < f.least() || f.Service != "" && f.Service != c.Target {
			return true
		}
		for _, p := range s.found.of(c).parts {
			if p.found >= f.least() && f.has(p.key) {
				p.age(now)
				x.add(&p)
			}
		}
		return true
	})
	if err != nil {
		return Groups{}, fmt.Errorf("counting findings: %w", err)
	}
	return x.list(f.Limit), nil
}

// Occurrences is Store.Occurrences.
func (s *Shelf) Occurrences(ctx context.Context, keys []GroupKey) ([][]Occurrence, error) {
	all := make([][]Occurrence, len(keys))
	at, services := make(map[GroupKey]int), make(map[string]bool)
	for i, k := range keys {
		at[k], services[k.Service] = i, true
	}
	err := s.count(ctx, func(c casefile.Summary) bool {
		if c.Findings == 0 || !services[c.Target] {
			return true
		}
		for _, p := range s.found.of(c).parts {
			if i, asked := at[p.key]; asked && len(all[i]) < maxOccurrences {
				all[i] = append(all[i], Occurrence{c.ID, c.Opened.UTC()})
			}
		}
		return true
	})
	if err != nil {
		return nil, fmt.Errorf("looking for cases with the same finding: %w", err)
	}
	return all, nil
}

// has reports whether a case has a finding of a filter's kind and place.
func (x *shelfFindings) has(c casefile.Summary, f *Filter) bool {
	placed := f.Function != "" || f.OfProcess
	return slices.ContainsFunc(x.of(c).parts, func(p groupPart) bool {
		return (f.Kind == "" || p.key.Kind == cut(f.Kind)) && (!placed || p.key.Function == cut(f.Function))
	})
}

// Course is Store.Course; nil for words and labels, for which it would read every case.
func (s *Shelf) Course(ctx context.Context, f Filter, span Span) ([]Bar, error) {
	now := s.now()
	bars := make([]Bar, span.Parts(now))
	if f.Text != "" || len(f.Label) > 0 {
		return nil, nil
	}
	err := s.count(ctx, func(c casefile.Summary) bool {
		if c.Opened.Before(span.From) { // they come newest first
			return false
		}
		if !s.passes(&f, c) {
			return true
		}
		worst := c.Worst
		if worst >= openScore {
			worst = s.found.of(c).worst
		}
		sum, one := &bars[span.at(c.Opened, now)], bar(worst)
		sum.Cases, sum.Warning, sum.Critical = sum.Cases+1, sum.Warning+one.Warning, sum.Critical+one.Critical
		return true
	})
	if err != nil {
		return nil, fmt.Errorf("counting cases: %w", err)
	}
	return bars, nil
}
