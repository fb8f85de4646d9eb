package casework

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"time"

	"github.com/gocasebook/casebook/app/report"
	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/casefile"
)

// What is read of other cases for the page of one: an instance that began within its charts is known by a case that was
// opened within startsWithin of them, among the maxStartCases that were opened last. Nobody waits longer than
// startsPatience for it.
const (
	startsWithin   = 6 * time.Hour
	maxStartCases  = 30
	startsPatience = 250 * time.Millisecond
)

// ServedPage draws the page of a case as a server shows it: with links to the pages of its evidence, and with the starts
// of other instances of its service, which other cases tell of. Who may gets a form for an opinion; where
// nobody may, though cases lie in a folder, it says which command takes one.
func ServedPage(from Cases, kept bool) func(ctx context.Context, w io.Writer, f *casefile.Folder,
	mayAnswer bool) error {
	return func(ctx context.Context, w io.Writer, f *casefile.Folder, mayAnswer bool) (err error) {
		waited := InTurn(ctx, func() {
			in := pageInput(f)
			in.Links = serverLinks
			switch {
			case mayAnswer:
				in.Links.Answer = report.ByForm
			case !kept:
				in.Links.Answer = report.ByCommand
			}
			in.Starts, in.StartsNote = startsIn(ctx, from, &in)
			in.Others = othersOf(ctx, from, &in.Case)
			err = report.Write(w, in)
		})
		return errors.Join(waited, err)
	}
}

// startsIn finds the starts of other processes within the charts of a case, and says why they are not known.
func startsIn(ctx context.Context, from Cases, in *report.Input) (out []report.Start, note string) {
	if len(in.Vitals) == 0 || in.Case.Target.Name == "" {
		return nil, ""
	}
	ctx, cancel := context.WithTimeout(ctx, startsPatience)
	defer cancel()
	begin, end := in.Vitals[0].Time, in.Vitals[len(in.Vitals)-1].Time
	unknown := func(err error) ([]report.Start, string) {
		return out, fmt.Sprintf("Whether other instances started meanwhile is not known: %v.", err)
	}
	page, err := from.List(ctx, store.Filter{Service: in.Case.Target.Name, From: begin, To: end.Add(startsWithin),
		Limit: maxStartCases})
	if err != nil {
		return unknown(err)
	}
	seen := map[process]bool{processOf(&in.Case.Target): true}
	for _, s := range page.Cases {
		c, err := from.Case(ctx, s.ID)
		if err != nil {
			return unknown(err)
		}
		t := &c.Target
		if t.Started.Before(begin) || t.Started.After(end) || seen[processOf(t)] {
			continue
		}
		seen[processOf(t)] = true
		out = append(out, report.Start{Time: t.Started, Version: s.Version, Instance: instanceOf(t)})
	}
	return out, ""
}

// A process is one of a service's, as far as cases tell them apart.
type process struct {
	url     string
	pid     int
	started int64 // the second: two ways to learn it differ by less
}

func processOf(t *casefile.Target) process { return process{t.URL, t.PID, t.Started.Unix()} }

// instanceOf is the host and port of a target; empty of a process that watches itself.
func instanceOf(t *casefile.Target) string {
	if u, err := url.Parse(t.URL); err == nil {
		return u.Host
	}
	return ""
}
