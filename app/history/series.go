package history

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/revision"
	"github.com/gocasebook/casebook/app/stat"
)

// A Report is what a history shows. It encodes as `casebook history show --json` prints it.
type Report struct {
	Schema  int           `json:"schema"`
	Kind    string        `json:"kind"` // "casebook-history"
	Records int           `json:"records"`
	From    time.Time     `json:"from"`
	To      time.Time     `json:"to"`
	Series  []Series      `json:"series"`
	Changes []ChangePoint `json:"changes"` // the newest first
	Short   int           `json:"short"`   // series with too few records to judge
	Notes   []string      `json:"notes,omitempty"`
}

// A Series is one figure of one benchmark on one machine.
type Series struct {
	Machine   string    `json:"machine"`
	Benchmark string    `json:"benchmark"`
	Figure    string    `json:"figure"`
	Unit      string    `json:"unit"`
	Values    []float64 `json:"values"`
	Times     []int64   `json:"times"` // Unix seconds

	records []*Record
	figures []*Figure
}

// A ChangePoint is where a series changes its level.
type ChangePoint struct {
	Machine   string    `json:"machine"`
	Benchmark string    `json:"benchmark"`
	Figure    string    `json:"figure"`
	Unit      string    `json:"unit"`
	Worse     bool      `json:"worse"` // false also where the figure's better direction is not known
	Before    float64   `json:"before"`
	After     float64   `json:"after"`
	P         float64   `json:"p"`
	Records   int       `json:"records"` // of the new level
	Time      time.Time `json:"time"`    // of its first record
	Commit    string    `json:"commit"`  // measured there
	Last      string    `json:"last"`    // the one measured before it
	// From and To bound where the change is: after From, up to To. They are Last and Commit where that is sure.
	From      string            `json:"from"`
	To        string            `json:"to"`
	Commits   int               `json:"commits"` // between From and To; −1 where the repository does not have them
	Functions []Moved           `json:"functions,omitempty"`
	Candidate []revision.Commit `json:"candidates,omitempty"` // of the commits between, where no function says which
	Notes     []string          `json:"notes,omitempty"`
}

// A Moved is a function that moved with its figure, with what it has of it.
type Moved struct {
	Function string            `json:"function"`
	Before   float64           `json:"before"`
	After    float64           `json:"after"`
	Commits  []revision.Commit `json:"commits,omitempty"` // between From and To that touched it, the newest first
}

// Options of a report.
type Options struct {
	Repository string         // a folder of it, for the commits; "" leaves them out
	Benchmark  *regexp.Regexp // which benchmarks; nil is all
}

// Analyze finds the changes of level in the records, which are in the order of time.
func Analyze(ctx context.Context, records []Record, opt Options) (*Report, error) {
	r := &Report{Schema: 1, Kind: "casebook-history", Records: len(records), Series: []Series{}, Changes: []ChangePoint{}}
	if len(records) == 0 {
		return r, nil
	}
	r.From, r.To = records[0].Time, records[len(records)-1].Time
	for _, s := range seriesOf(records, opt.Benchmark) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		r.Series = append(r.Series, s)
		if len(s.Values) < 2*minSegment {
			r.Short++
			continue
		}
		found := changes(s.Values)
		for i, c := range found {
			p, err := s.point(ctx, found, i, opt.Repository)
			if err != nil {
				return nil, fmt.Errorf("%s, %s, record %d: %w", s.Benchmark, s.Figure, c.At, err)
			}
			r.Changes = append(r.Changes, *p)
		}
	}
	slices.SortStableFunc(r.Changes, func(a, b ChangePoint) int { return b.Time.Compare(a.Time) })
	return r, nil
}

// seriesOf splits records by machine, benchmark and figure. Of two records of a commit on a machine both count.
func seriesOf(records []Record, only *regexp.Regexp) []Series {
	type key struct{ machine, benchmark, figure string }
	at := make(map[key]int)
	var all []Series
	for i := range records {
		r := &records[i]
		for k := range r.Benchmarks {
			b := &r.Benchmarks[k]
			if only != nil && !only.MatchString(b.Name) {
				continue
			}
			for j := range b.Figures {
				f := &b.Figures[j]
				id := key{r.Machine.ID, b.Name, f.Name}
				n, seen := at[id]
				if !seen {
					n, at[id] = len(all), len(all)
					all = append(all, Series{Machine: id.machine, Benchmark: id.benchmark, Figure: id.figure, Unit: f.Unit})
				}
				s := &all[n]
				s.Values, s.Times = append(s.Values, f.Value), append(s.Times, r.Time.Unix())
				s.records, s.figures = append(s.records, r), append(s.figures, f)
			}
		}
	}
	for i := range all {
		all[i].cut(len(all[i].Values) - maxRecords)
	}
	slices.SortStableFunc(all, func(a, b Series) int {
		return cmp.Or(cmp.Compare(a.Machine, b.Machine), cmp.Compare(a.Benchmark, b.Benchmark),
			cmp.Compare(a.Figure, b.Figure))
	})
	return all
}

// cut takes the oldest n values off.
func (s *Series) cut(n int) {
	if n > 0 {
		s.Values, s.Times, s.records, s.figures = s.Values[n:], s.Times[n:], s.records[n:], s.figures[n:]
	}
}

// sideRecords are how many records of each side of a change point say which functions moved: the nearest ones.
const sideRecords = 30

// point describes a change point: how large it is, which functions moved there, and which commits touched them.
func (s *Series) point(ctx context.Context, all []Change, i int, repository string) (*ChangePoint, error) {
	c := all[i]
	from, to := 0, len(s.Values)
	if i > 0 {
		from = all[i-1].At
	}
	if i+1 < len(all) {
		to = all[i+1].At
	}
	p := &ChangePoint{Machine: s.Machine, Benchmark: s.Benchmark, Figure: s.Figure, Unit: s.Unit, Before: c.Before,
		After: c.After, P: c.P, Records: to - c.At, Time: s.records[c.At].Time, Commit: s.records[c.At].Commit,
		Last: s.records[c.At-1].Commit, From: s.records[max(c.Low-1, 0)].Commit, To: s.records[c.High].Commit, Commits: -1,
		Worse: lowerIsBetter(s.Figure) == (c.After > c.Before) && known(s.Figure)}
	if a, b := s.records[c.At-1].Go, s.records[c.At].Go; a != b {
		p.Notes = append(p.Notes, fmt.Sprintf("Go changed there, too: %s to %s", a, b))
	}
	p.Functions = s.moved(max(from, c.At-sideRecords), c.At, min(to, c.At+sideRecords), c.After-c.Before)
	if repository == "" {
		return p, nil
	}
	return p, s.blame(ctx, p, repository, s.records[c.At])
}

// known reports whether it is known which direction of a figure is better.
func known(figure string) bool { return lowerIsBetter(figure) || figure == "throughput" }

func lowerIsBetter(figure string) bool {
	return figure == "time" || figure == "allocs" || figure == "bytes"
}

// Bounds of what is said of functions: the same as in package gate.
const (
	maxMoved   = 3
	movedShare = 0.1
)

// moved returns the functions whose cost moved with the figure by a tenth of its change or more, and by more than what
// it differs by from record to record: the 95 % interval of the shift leaves out 0.
func (s *Series) moved(from, at, to int, whole float64) []Moved {
	costs := make(map[string]*[2][]float64)
	counts := [2]int{}
	for i := from; i < to; i++ {
		if len(s.figures[i].Parts) == 0 {
			continue // no profile could be read
		}
		side := 0
		if i >= at {
			side = 1
		}
		for name, cost := range s.records[i].costs(s.figures[i]) {
			if costs[name] == nil {
				costs[name] = new([2][]float64)
			}
			costs[name][side] = append(costs[name][side], cost)
		}
		counts[side]++
	}
	var out []Moved
	for name, sides := range costs {
		for side := range sides {
			for len(sides[side]) < counts[side] {
				sides[side] = append(sides[side], 0) // it took less than what is kept of a profile
			}
		}
		shift, low, high := stat.Shift(sides[0], sides[1], 1)
		if shift*whole > 0 && math.Abs(shift) >= movedShare*math.Abs(whole) && low*high > 0 {
			before := stat.Median(sides[0])
			out = append(out, Moved{Function: name, Before: before, After: max(before+shift, 0)})
		}
	}
	slices.SortFunc(out, func(a, b Moved) int {
		return cmp.Or(cmp.Compare(math.Abs(b.After-b.Before), math.Abs(a.After-a.Before)), strings.Compare(a.Function,
			b.Function))
	})
	return out[:min(len(out), maxMoved)]
}

// maxCandidates bounds the commits that are listed where no function says which it was.
const maxCandidates = 5

// blame asks git which commits touched what moved. What the repository does not have is said, and the rest stands.
func (s *Series) blame(ctx context.Context, p *ChangePoint, repository string, r *Record) error {
	commits, err := revision.Between(ctx, repository, p.From, p.To)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		p.Notes = append(p.Notes, "the commits are not in this repository: a shallow clone has the newest alone")
		return nil
	}
	p.Commits = len(commits)
	touched := false
	for i := range p.Functions {
		m := &p.Functions[i]
		file := cmp.Or(r.file(m.Function), s.records[0].file(m.Function))
		m.Commits, err = revision.Touched(ctx, repository, p.From, p.To, m.Function, file)
		if err != nil && ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && !errors.Is(err, revision.ErrUnknown) {
			p.Notes = append(p.Notes, fmt.Sprintf("who touched %s is not known: %v", m.Function, err))
		}
		touched = touched || len(m.Commits) > 0
	}
	if !touched {
		p.Candidate = commits[:min(len(commits), maxCandidates)]
	}
	return nil
}
