// Package release says what a release changed in the CPU of a service's functions.
//
// The problem: a release that makes a function cost half as much again is found weeks later in the bill, and a flame
// graph of today beside one of last week shows load that differs. The approach: an engine has both versions, so the
// last minutes of each are cut into windows, and what each function takes of the CPU in the windows of one side is
// compared with the other by the statistics of package compare. The difference of the two sums is the page's flame
// graph.
//
// Limits: shares are compared, so that more load does not count; a function that takes the same time while all others
// became cheaper has a larger share. The load of two times of a day may be of another kind. Commits are those that
// changed the lines of a function itself, not of what it calls.
package release

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/compare"
	"github.com/gocasebook/casebook/app/engine"
	"github.com/gocasebook/casebook/app/report"
	"github.com/gocasebook/casebook/app/revision"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A Comparison is two releases of a service. It encodes as `casebook compare --json` does, with commits.
type Comparison struct {
	*compare.Report // a row for each function

	// Commits are those between the versions that touched a function that is worse, by its name.
	Commits map[string][]revision.Commit `json:"commits,omitempty"`

	service     string
	old, latest engine.Release
}

// Compare compares the version of a service that runs with the one before. repository is a folder with the service's
// source; "" when it is not at hand.
func Compare(ctx context.Context, d *engine.Directory, service, repository string) (*Comparison, error) {
	old, latest, err := d.Releases(ctx, service)
	if err != nil {
		return nil, err
	}
	c := &Comparison{service: service, old: old, latest: latest}
	var sides [2]compare.Functions
	files := make(map[string]string)
	for i, r := range []engine.Release{old, latest} {
		if sides[i], err = functions(r, files); err != nil {
			return nil, fmt.Errorf("version %s of %s: %w", r.Version, service, err)
		}
	}
	if c.Report, err = compare.OfFunctions(sides[0], sides[1], compare.Options{}); err != nil {
		return nil, err
	}
	if repository != "" {
		c.addCommits(ctx, repository, files)
	}
	return c, nil
}

// maxBlamed bounds the functions whose commits are looked for: git reads the history for each.
const maxBlamed = 10

// addCommits looks for the commits that touched what is worse. What the repository does not have is left out: it may be
// of another branch, and the comparison is right without it.
func (c *Comparison) addCommits(ctx context.Context, repository string, files map[string]string) {
	c.Commits = make(map[string][]revision.Commit)
	asked := 0
	for _, row := range c.Tables[0].Rows {
		if row.Verdict != casefile.Worse || asked == maxBlamed {
			continue
		}
		asked++
		found, err := revision.Touched(ctx, repository, c.old.Version, c.latest.Version, row.Name, files[row.Name])
		if err == nil && len(found) > 0 {
			c.Commits[row.Name] = found
		}
	}
}

// functions reads what each function takes in each window, and adds where each is.
func functions(r engine.Release, files map[string]string) (compare.Functions, error) {
	f := compare.Functions{Label: r.Version}
	for _, data := range r.Windows {
		shares, err := sharesOf(data, files)
		if err != nil {
			return f, err
		}
		if len(shares) > 0 {
			f.Windows = append(f.Windows, shares)
		}
	}
	return f, nil
}

// sharesOf adds a profile up by the innermost function of the program on each stack: what it calls elsewhere is its own
// cost. The runtime's own work counts by its kind.
func sharesOf(data []byte, files map[string]string) (map[string]float64, error) {
	table := stacks.NewTable("")
	set, err := table.Read(stacks.Source{Name: "profile", Kind: casefile.CPU}, data)
	if err != nil {
		return nil, err
	}
	value := set.Value("cpu", "nanoseconds")
	if value < 0 {
		return nil, fmt.Errorf("the profile has no CPU time")
	}
	shares, total := make(map[string]float64), 0.0
	for i := range set.Samples {
		s := &set.Samples[i]
		v := float64(s.Values[value])
		name, file := placeOf(table, s)
		shares[name] += v
		total += v
		if file != "" {
			files[name] = file
		}
	}
	for name := range shares {
		shares[name] /= total
	}
	return shares, nil
}

// placeOf returns a function and its file, if it is the program's own.
func placeOf(t *stacks.Table, s *stacks.Sample) (name, file string) {
	frame, at := t.UserFrame(s.Stack)
	switch {
	case at >= 0:
		f := t.Func(frame)
		return f.Name, f.File
	case s.Class != stacks.None:
		return "runtime: " + s.Class.String(), ""
	case len(s.Stack) == 0:
		return "unknown", ""
	}
	return t.Func(s.Stack[0]).Name, ""
}

// Page is the comparison as a page.
func (c *Comparison) Page() report.Comparison {
	p := c.Report.Page()
	p.Title = fmt.Sprintf("%s: version %s against %s", c.service, c.latest.Version, c.old.Version)
	p.Taken = c.latest.To
	for i := range p.Figures {
		p.Figures[i].Note = noted(p.Figures[i].Note, c.Commits[p.Figures[i].Name])
	}
	p.Profiles = []report.ProfilePair{{Name: "CPU", Kind: casefile.CPU, Before: c.old.Sum, After: c.latest.Sum,
		Labels: [2]string{c.old.Version, c.latest.Version}}}
	p.Method = append(p.Method, fmt.Sprintf("%s to %s UTC of version %s, and %s to %s UTC of version %s, in windows of "+
		"half a minute.", clock(c.old.From), clock(c.old.To), c.old.Version, clock(c.latest.From), clock(c.latest.To),
		c.latest.Version))
	return p
}

// noted adds commits to what is said of a function.
func noted(note string, commits []revision.Commit) string {
	var all []string
	if note != "" {
		all = append(all, note)
	}
	for _, one := range commits {
		all = append(all, "touched by "+one.ID+" "+one.Subject)
	}
	return strings.Join(all, "; ")
}

func clock(t time.Time) string { return t.UTC().Format(time.DateTime) }
