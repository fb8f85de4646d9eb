package casework

import (
	"context"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/app/heat"
	"github.com/gocasebook/casebook/app/listing"
	"github.com/gocasebook/casebook/app/report"
	"github.com/gocasebook/casebook/app/source"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/room"
)

// lineKinds are the kinds of evidence that say what lines cost, and who stands there.
var lineKinds = []string{casefile.CPU, casefile.Heap, casefile.Allocs, casefile.Block, casefile.Mutex,
	casefile.Goroutine}

// lines draws the page of a function's lines: of the one that is asked for, or of the first that a finding names.
func (v views) lines(ctx context.Context, w io.Writer, id string, query url.Values) error {
	c, err := v.from.Case(ctx, id)
	if err != nil {
		return err
	}
	in := report.LinesInput{Case: c, Function: query.Get("function")}
	if in.Function == "" {
		in.Function = report.FirstPlace(&c)
	}
	evidence, err := v.lineEvidence(ctx, &c)
	if err != nil {
		return err
	}
	read, _, _ := listing.Read(evidence)
	var dir string
	if read.Source, dir, err = v.sourceOf(ctx, &c); err != nil {
		in.Note = "The source cannot be read: " + without(err.Error(), dir) + "."
	}
	if in.Listing = (&listing.Listing{}); in.Function != "" {
		in.Listing = listing.Of(ctx, read, in.Function)
	}
	for i := range in.Listing.Functions {
		in.Listing.Functions[i].Note = without(in.Listing.Functions[i].Note, dir)
	}
	in.Hot = hotFunctions(read.Heat)
	return report.WriteLines(w, in)
}

// hotFunctions are the program's own that cost most of something, a few of each measure.
func hotFunctions(m *heat.Map) (names []string) {
	const most = 3
	for _, by := range heat.Measures() {
		n := 0
		for _, f := range m.Functions(by) {
			if n == most || f.Cost[by] <= 0 {
				break
			}
			if f.Owner == stacks.User {
				n++
				names = append(names, f.Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// lineEvidence reads what there is room for; the page of the case says what was not read.
func (v views) lineEvidence(ctx context.Context, c *casefile.Case) (in diagnose.Input, err error) {
	in.Build = c.Target.Build
	left := room.Parsing()
	for _, e := range c.Evidence {
		if !e.GoFormat || !slices.Contains(lineKinds, e.Kind) || e.Bytes > left {
			continue
		}
		left -= e.Bytes
		data, err := v.read(ctx, c.ID, e.File)
		if err != nil {
			return in, err
		}
		in.Evidence = append(in.Evidence, diagnose.Evidence{Name: e.File, Kind: e.Kind, Phase: e.Phase, Taken: e.Taken,
			Seconds: e.Seconds, Data: data})
	}
	return in, nil
}

// sourceOf is the source of a case's service and its folder, where somebody named its repository; nil otherwise.
func (v views) sourceOf(ctx context.Context, c *casefile.Case) (facts.Source, string, error) {
	dir, named := v.repositories[c.Target.Name]
	if !named {
		return nil, "", nil
	}
	places, err := source.FindPlaces(ctx, dir, c.Target.Build)
	if err != nil {
		return nil, dir, err
	}
	return facts.NewSource(ctx, places), places.Tree.Dir, nil
}

// without leaves a folder of the server out of a text: readers are elsewhere.
func without(text, dir string) string {
	if dir == "" {
		return text
	}
	return strings.ReplaceAll(text, dir, "the repository")
}
