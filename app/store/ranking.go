package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/gocasebook/casebook/app/closing"
	"github.com/gocasebook/casebook/casefile"
)

// A RankedFinding is a finding about the CPU of a service, with what it costs.
type RankedFinding struct {
	Source  string `json:"source"` // SourceCases, or the address of an engine
	Service string `json:"service"`
	Owner   string `json:"owner,omitempty"`
	Version string `json:"version,omitempty"` // the service's, now

	ID       string `json:"id"`
	Kind     string `json:"kind"`
	Title    string `json:"title"`
	Function string `json:"function,omitempty"` // the place to change; empty when it is about the whole process
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Score    int    `json:"score"`

	Cores        float64 `json:"cores"` // Share × what the service used when it was found
	Share        float64 `json:"share"` // 0–1 of the service's CPU
	ServiceCores float64 `json:"service_cores"`

	Since             time.Time `json:"since"` // first found
	Seen              time.Time `json:"seen"`  // last found
	NewSinceYesterday bool      `json:"new_since_yesterday"`
	NewSinceRelease   bool      `json:"new_since_release"`         // it was first found in Version
	EarlierVersion    string    `json:"earlier_version,omitempty"` // which Version replaced

	Case      string    `json:"case,omitempty"`       // whose evidence it was found in
	ProofCase string    `json:"proof_case,omitempty"` // whose remedy was measured to be better
	Proved    time.Time `json:"proved,omitzero"`
}

// A Ranking is what costs most CPU.
type Ranking struct {
	Formula  string          `json:"formula"`
	Findings []RankedFinding `json:"findings"` // the most cores first
	Closed   []RankedFinding `json:"closed"`   // not found any more, and a proof says why; the last one first
	Gone     []RankedFinding `json:"gone"`     // not found any more since yesterday, and no proof says why
	Services int             `json:"services"` // that were judged in the last hours
	Failing  int             `json:"failing"`  // that could not be judged the last time
	Cores    float64         `json:"cores"`    // that these services use together
	Judged   time.Time       `json:"judged,omitzero"`
}

// RankingFormula says how findings are ranked.
const RankingFormula = "cores = the finding's share of the service's CPU × the CPU that the service uses, in cores"

const (
	// rankFresh is how old a service's last judgement may be: what was found before three rounds were missed need not be
	// so any more.
	rankFresh = 3 * rankEvery
	rankLimit = 10
	maxRanked = 500
	day       = 24 * time.Hour
)

// Ranking returns the findings that cost most CPU: ten, or as many as are asked for.
func (s *Store) Ranking(ctx context.Context, limit int) (Ranking, error) {
	if limit <= 0 {
		limit = rankLimit
	}
	r, err := s.ranking(ctx, min(limit, maxRanked))
	if err != nil {
		return Ranking{}, fmt.Errorf("reading the ranking: %w", s.index.explain(err))
	}
	return r, nil
}

func (s *Store) ranking(ctx context.Context, limit int) (Ranking, error) {
	now := s.now()
	r := Ranking{Formula: RankingFormula}
	fresh := now.Add(-rankFresh).UnixMilli()
	var judged int64
	err := s.index.queryRow(ctx, "SELECT COUNT(*), COALESCE(SUM(s.cores), 0), COALESCE(MAX(s.judged), 0), "+
		"COALESCE(SUM(CASE WHEN s.failure <> '' THEN 1 ELSE 0 END), 0) FROM ranking_services s WHERE "+current,
		fresh).Scan(&r.Services, &r.Cores, &judged, &r.Failing)
	if err != nil {
		return r, err
	}
	r.Judged = fromStored(judged)
	r.Findings, err = s.index.ranked(ctx, now, "f.seen >= s.judged ORDER BY f.cores DESC, f.score DESC, f.service, "+
		"f.kind, f.function LIMIT $2", fresh, limit)
	if err != nil {
		return r, err
	}
	gone, err := s.index.ranked(ctx, now, "f.seen < s.judged ORDER BY f.seen DESC, f.cores DESC, f.service, f.kind, "+
		"f.function LIMIT $2", fresh, maxRanked)
	if err != nil {
		return r, err
	}
	if err := s.addProofs(ctx, r.Findings, gone); err != nil {
		return r, err
	}
	r.Closed, r.Gone = []RankedFinding{}, []RankedFinding{}
	for _, f := range gone {
		switch {
		case f.ProofCase != "" && len(r.Closed) < limit:
			r.Closed = append(r.Closed, f)
		case f.ProofCase == "" && f.Seen.After(now.Add(-day)) && len(r.Gone) < limit:
			r.Gone = append(r.Gone, f)
		}
	}
	return r, nil
}

// current lets a service through that was judged lately ($1). Of one that an engine has, cases are left out: they are
// of single processes at bad moments.
const current = "s.service <> '' AND s.judged > $1 AND (s.source <> '" + SourceCases + "' OR NOT EXISTS (SELECT 1 " +
	"FROM ranking_services e WHERE e.service = s.service AND e.source <> s.source AND e.judged > $1))"

// rankedFrom is followed by one condition more.
const rankedFrom = "FROM ranking_findings f JOIN ranking_services s ON s.source = f.source AND s.service = f.service " +
	"WHERE " + current + " AND "

// ranked reads findings. rest is the end of the WHERE clause, and what comes after it.
func (x *index) ranked(ctx context.Context, now time.Time, rest string, args ...any) ([]RankedFinding, error) {
	rows, err := x.query(ctx, "SELECT f.source, f.service, s.owner, s.version, s.version_since, s.earlier_version, "+
		"s.cores, s.since, f.id, f.kind, f.title, f.function, f.file, f.line, f.score, f.cores, f.share, f.case_id, "+
		"f.since, f.seen "+rankedFrom+rest, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	list := []RankedFinding{}
	for rows.Next() {
		f, err := scanRanked(rows, now)
		if err != nil {
			return nil, err
		}
		list = append(list, f)
	}
	return list, rows.Err()
}

// scanRanked also says what is new. Of a service that has been judged for less than a day, or in one version only,
// nothing is: all of it was found for the first time.
func scanRanked(rows *sql.Rows, now time.Time) (RankedFinding, error) {
	var f RankedFinding
	var versionSince, known, since, seen int64
	err := rows.Scan(&f.Source, &f.Service, &f.Owner, &f.Version, &versionSince, &f.EarlierVersion, &f.ServiceCores,
		&known, &f.ID, &f.Kind, &f.Title, &f.Function, &f.File, &f.Line, &f.Score, &f.Cores, &f.Share, &f.Case, &since,
		&seen)
	f.Since, f.Seen = fromMilli(since), fromMilli(seen)
	yesterday := now.Add(-day)
	f.NewSinceYesterday = f.Since.After(yesterday) && fromMilli(known).Before(yesterday)
	f.NewSinceRelease = f.EarlierVersion != "" && since >= versionSince
	return f, err
}

// A cured finding is one whose remedy was measured to be better.
type cured struct{ service, kind, function string }

// A cure is a case with a proof that is better.
type cure struct {
	id    string
	taken time.Time
}

// maxCures bounds the cases that are read for their proofs: each has a case.json of up to megabytes.
const maxCures = 200

// addProofs says of findings which case has a proof.
func (s *Store) addProofs(ctx context.Context, lists ...[]RankedFinding) error {
	services := make(map[string]bool)
	for _, list := range lists {
		for i := range list {
			services[list[i].Service] = true
		}
	}
	if len(services) == 0 {
		return nil
	}
	proofs, err := s.index.cures(ctx, slices.Sorted(maps.Keys(services)))
	if err != nil {
		return err
	}
	for _, list := range lists {
		for i := range list {
			f := &list[i]
			if p, ok := proofs[cured{f.Service, f.Kind, f.Function}]; ok {
				f.ProofCase, f.Proved = p.id, p.taken
			}
		}
	}
	return nil
}

// cures reads the newest proofs that are better, of some services.
func (x *index) cures(ctx context.Context, services []string) (map[cured]cure, error) {
	args := []any{string(casefile.Better), maxCures}
	rows, err := x.query(ctx, "SELECT c.id, c.service, r.data FROM cases c JOIN records r ON r.case_id = c.id WHERE "+
		"c.proof = $1 AND c.service IN ("+placeholders(&args, services)+") ORDER BY c.opened DESC, c.id LIMIT $2", args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := make(map[cured]cure)
	for rows.Next() {
		var id, service string
		var data []byte
		if err := rows.Scan(&id, &service, &data); err != nil {
			return nil, err
		}
		c, err := casefile.Decode(data)
		if err != nil {
			return nil, fmt.Errorf("case %s: %w", id, err)
		}
		kind, place := treated(&c)
		if kind == "" || !closing.Closes(c.Proof, ofCPU(kind)) {
			continue
		}
		for _, function := range []string{cut(place), ""} { // "" is a finding about a whole process
			key := cured{service, cut(kind), function}
			if _, newer := all[key]; !newer {
				all[key] = cure{id, c.Proof.Taken}
			}
		}
	}
	return all, rows.Err()
}

// ofCPU is a finding of the ranking: all are about CPU.
func ofCPU(kind string) *casefile.Finding {
	return &casefile.Finding{Kind: kind, Impact: casefile.Impact{Resource: closing.CPU}}
}

// treated is the finding whose remedy a case's proof measured: the one that it names, otherwise the first.
func treated(c *casefile.Case) (kind, function string) {
	switch {
	case c.Proof == nil:
		return "", ""
	case c.Proof.Finding != nil:
		return c.Proof.Finding.Kind, c.Proof.Finding.Function
	case len(c.Findings) == 0:
		return "", ""
	}
	return c.Findings[0].Kind, PlaceOf(&c.Findings[0]).Function
}

// PlaceOf is the place to change; empty of a finding about a whole process.
func PlaceOf(f *casefile.Finding) casefile.Frame {
	if len(f.Where) == 0 {
		return casefile.Frame{}
	}
	return f.Where[0]
}
