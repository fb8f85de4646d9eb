package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// A GroupKey is what makes findings of several cases the same one.
type GroupKey struct{ Service, Kind, Function string }

// A Group is a finding in all cases that have it, of a time.
type Group struct {
	GroupKey
	ID       string // the detector's
	Score    int    // the highest that no proof closes
	Resource string
	Share    float64 // 0–1 of that resource, at most
	Cases    int     // that have it
	Open     int     // of which no proof closes it
	Recent   int     // of the last 24 hours
	Before   int     // of the 24 hours before
	Last     time.Time
	Parts    []int // cases by part of the time, the last is now
}

// Groups are the findings of a time, those that hurt most now first.
type Groups struct {
	List []Group // as many as were asked for
	All  int
	New  int // that were first seen in the last 24 hours, within the time
}

// A Span is a time that ends now, in equal parts.
type Span struct {
	From time.Time
	Step time.Duration
}

// Parts is how many parts a span has.
func (s Span) Parts(now time.Time) int { return max(1, int((now.Sub(s.From)+s.Step-1)/s.Step)) }

// at is the part that a time is in. A clock that is ahead makes cases of tomorrow.
func (s Span) at(t, now time.Time) int {
	return min(max(int(t.Sub(s.From)/s.Step), 0), s.Parts(now)-1)
}

// maxGroups bounds what is grouped: groups by parts of a span.
const maxGroups = 200_000

// groupOf collects a team's findings.
type groupOf struct {
	now  time.Time
	span Span
	of   map[GroupKey]*Group
	old  map[GroupKey]bool // seen more than a day ago
}

func newGroups(span Span, now time.Time) *groupOf {
	return &groupOf{now, span, make(map[GroupKey]*Group), make(map[GroupKey]bool)}
}

// A groupPart are the cases of a group in a part of the span.
type groupPart struct {
	key                         GroupKey
	id, resource                string
	cases, open, recent, before int
	score                       int // the highest that is open
	found                       int // the highest, of a single case
	share                       float64
	first, last                 time.Time
}

func (x *groupOf) add(p *groupPart) {
	g := x.of[p.key]
	if g == nil {
		g = &Group{GroupKey: p.key, Parts: make([]int, x.span.Parts(x.now))}
		x.of[p.key] = g
	}
	if !p.last.Before(g.Last) {
		g.ID, g.Resource, g.Last = p.id, p.resource, p.last
	}
	g.Score, g.Share = max(g.Score, p.score), max(g.Share, p.share)
	g.Cases, g.Open, g.Recent, g.Before = g.Cases+p.cases, g.Open+p.open, g.Recent+p.recent, g.Before+p.before
	g.Parts[x.span.at(p.last, x.now)] += p.cases
	if p.first.Before(x.now.Add(-day)) {
		x.old[p.key] = true
	}
}

// list has what asks for somebody, the worst first: by severity, then by how often it came in the last day.
func (x *groupOf) list(limit int) Groups {
	var out Groups
	for key, g := range x.of {
		if g.Open == 0 {
			continue
		}
		out.List = append(out.List, *g)
		if !x.old[key] {
			out.New++
		}
	}
	out.All = len(out.List)
	slices.SortFunc(out.List, func(a, b Group) int {
		return cmp.Or(Level(b.Score)-Level(a.Score), b.Recent-a.Recent, b.Score-a.Score, b.Last.Compare(a.Last),
			cmp.Compare(a.Service, b.Service), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Function, b.Function))
	})
	out.List = out.List[:min(limit, len(out.List))]
	return out
}

// Level is how bad a finding of a score is: 3 is critical, 2 a warning, 1 a notice.
func Level(score int) int { return min(score, 99) / openScore }

// A GroupFilter says which findings are grouped: of all cases of the span, or of a service's, those of a score.
type GroupFilter struct {
	Span    Span
	Service string
	Kind    string
	Score   int // zero means that of a finding that asks for somebody
	Limit   int
	Match   func(GroupKey) bool // nil lets all through
}

func (f *GroupFilter) least() int { return max(f.Score, openScore) }

func (f *GroupFilter) has(k GroupKey) bool {
	return (f.Service == "" || cut(f.Service) == k.Service) && (f.Kind == "" || cut(f.Kind) == k.Kind) &&
		(f.Match == nil || f.Match(k))
}

// Groups counts the findings of a span.
func (s *Store) Groups(ctx context.Context, f GroupFilter) (Groups, error) {
	x := newGroups(f.Span, s.now())
	if err := s.index.groups(ctx, &f, x); err != nil {
		return Groups{}, fmt.Errorf("counting findings: %w", s.index.explain(err))
	}
	return x.list(f.Limit), nil
}

func (x *index) groups(ctx context.Context, f *GroupFilter, to *groupOf) error {
	q := &query{args: []any{to.span.From.UnixMilli(), to.span.Step.Milliseconds(), to.now.Add(-day).UnixMilli(),
		to.now.Add(-2 * day).UnixMilli()}}
	q.add("c.opened >= ?", to.span.From.UnixMilli())
	q.add("f.score >= ?", f.least())
	if f.Service != "" {
		q.add("c.service = ?", cut(f.Service))
	}
	if f.Kind != "" {
		q.add("f.kind = ?", cut(f.Kind))
	}
	rows, err := x.query(ctx, "SELECT c.service, f.kind, f.function, MAX(f.id), MAX(f.resource), MAX(f.share), "+
		"COUNT(DISTINCT c.id), COUNT(DISTINCT CASE WHEN f.closed = 0 THEN c.id END), "+
		"COUNT(DISTINCT CASE WHEN c.opened >= $3 THEN c.id END), "+
		"COUNT(DISTINCT CASE WHEN c.opened >= $4 AND c.opened < $3 THEN c.id END), "+
		"MAX(CASE WHEN f.closed = 0 THEN f.score ELSE 0 END), MIN(c.opened), MAX(c.opened) "+
		"FROM cases c JOIN findings f ON f.case_id = c.id"+q.conditions()+
		fmt.Sprintf(" GROUP BY c.service, f.kind, f.function, (c.opened - $1) / $2 LIMIT %d", maxGroups), q.args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var p groupPart
		var first, last int64
		err := rows.Scan(&p.key.Service, &p.key.Kind, &p.key.Function, &p.id, &p.resource, &p.share, &p.cases, &p.open,
			&p.recent, &p.before, &p.score, &first, &last)
		if err != nil {
			return err
		}
		p.first, p.last = fromMilli(first), fromMilli(last)
		if f.has(p.key) {
			to.add(&p)
		}
	}
	return rows.Err()
}

// An Occurrence is a case that has a finding.
type Occurrence struct {
	Case   string
	Opened time.Time
}

// maxOccurrences bounds the cases of a finding that are looked at, the newest.
const maxOccurrences = 500

// Occurrences are the cases that have each of some findings, newest first, 500 at most.
func (s *Store) Occurrences(ctx context.Context, keys []GroupKey) ([][]Occurrence, error) {
	all := make([][]Occurrence, len(keys))
	for i, k := range keys {
		var err error
		if all[i], err = s.index.occurrences(ctx, k); err != nil {
			return nil, fmt.Errorf("looking for cases with the same finding: %w", s.index.explain(err))
		}
	}
	return all, nil
}

func (x *index) occurrences(ctx context.Context, k GroupKey) ([]Occurrence, error) {
	rows, err := x.query(ctx, "SELECT c.id, c.opened FROM cases c WHERE c.service = $1 AND EXISTS (SELECT 1 FROM "+
		"findings f WHERE f.case_id = c.id AND f.kind = $2 AND f.function = $3) ORDER BY c.opened DESC, c.id DESC "+
		"LIMIT $4", cut(k.Service), cut(k.Kind), cut(k.Function), maxOccurrences)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	return scanOccurrences(rows)
}

func scanOccurrences(rows *sql.Rows) (list []Occurrence, err error) {
	for rows.Next() {
		var o Occurrence
		var opened int64
		if err := rows.Scan(&o.Case, &opened); err != nil {
			return nil, err
		}
		o.Opened = fromMilli(opened)
		list = append(list, o)
	}
	return list, rows.Err()
}

// Since is when a finding began: the first of its cases, newest first, without a week between two of them. What was
// away for so long is found anew, as in the ranking.
func Since(list []Occurrence) (since time.Time, cases int) {
	for i, o := range list {
		if i > 0 && since.Sub(o.Opened) > OpenDays*day {
			return since, i
		}
		since = o.Opened
	}
	return since, len(list)
}

// A Bar are the cases of a part of a span, by what is open of them.
type Bar struct{ Cases, Warning, Critical int }

// Course counts the cases that a filter lets through by the parts of a span.
func (s *Store) Course(ctx context.Context, f Filter, span Span) ([]Bar, error) {
	now := s.now()
	bars := make([]Bar, span.Parts(now))
	f.After = ""
	if f.From.Before(span.From) {
		f.From = span.From
	}
	q, err := f.query(0, s.index.d.contains)
	if err == nil {
		err = s.index.course(ctx, q, span, func(at time.Time, b Bar) {
			sum := &bars[span.at(at, now)]
			sum.Cases, sum.Warning, sum.Critical = sum.Cases+b.Cases, sum.Warning+b.Warning, sum.Critical+b.Critical
		})
	}
	if err != nil {
		return nil, fmt.Errorf("counting cases: %w", s.index.explain(err))
	}
	return bars, nil
}

func (x *index) course(ctx context.Context, q *query, span Span, add func(time.Time, Bar)) error {
	n := len(q.args)
	args := append(q.args, span.From.UnixMilli(), span.Step.Milliseconds())
	rows, err := x.query(ctx, fmt.Sprintf("SELECT MIN(opened), COUNT(*), "+
		"SUM(CASE WHEN worst_open >= %[3]d AND worst_open < %[4]d THEN 1 ELSE 0 END), "+
		"SUM(CASE WHEN worst_open >= %[4]d THEN 1 ELSE 0 END) FROM cases%[5]s GROUP BY (opened - $%[1]d) / $%[2]d",
		n+1, n+2, 2*openScore, 3*openScore, q.conditions()), args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var opened int64
		var b Bar
		if err := rows.Scan(&opened, &b.Cases, &b.Warning, &b.Critical); err != nil {
			return err
		}
		add(fromMilli(opened), b)
	}
	return rows.Err()
}

// bar is what a case of a score adds to a course.
func bar(worst int) Bar {
	return Bar{1, btoi(worst >= 2*openScore && worst < 3*openScore), btoi(worst >= 3*openScore)}
}

// age says how old the case of a part is.
func (p *groupPart) age(now time.Time) {
	age := now.Sub(p.last)
	p.recent, p.before = btoi(age <= day), btoi(age > day && age <= 2*day)
}

// groupParts are the findings of one case.
func groupParts(c *casefile.Case, closes func(*casefile.Finding) bool) (parts []groupPart) {
	at, seen := c.Opened.UTC(), make(map[GroupKey]int)
	for i := range c.Findings {
		f := &c.Findings[i]
		p := groupPart{key: GroupKey{cut(c.Target.Name), cut(f.Kind), cut(PlaceOf(f).Function)}, id: cut(f.ID),
			resource: cut(f.Impact.Resource), share: f.Impact.Share, cases: 1, open: btoi(!closes(f)), found: f.Score,
			first: at, last: at}
		p.score = f.Score * p.open
		if k, known := seen[p.key]; known { // twice in a case: the case counts once
			first := &parts[k]
			first.score, first.open, first.found = max(first.score, p.score), max(first.open, p.open),
				max(first.found, p.found)
			continue
		}
		seen[p.key] = len(parts)
		parts = append(parts, p)
	}
	return parts
}
