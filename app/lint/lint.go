// Package lint runs analyzers over Go packages and ranks what they report by what production pays for it.
//
// The problem: linters report hundreds of lines of which a handful matter, because they do not know which lines run. The
// approach: `go vet` drives the analyzers of this binary, and the go command caches what they found package by package;
// each report is joined with the heat of its lines (package heat), counted only in what the check is about: the calls
// that it would save. What costs nothing is folded into a count.
//
// Limits: a profile blames lines, so that two reports on one line share its cost, and a share is what the lines cost, of
// which a change saves a part. What could not be analyzed is a Gap, never silence.
package lint

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/gocasebook/casebook/app/heat"
	"github.com/gocasebook/casebook/app/notes"
	"github.com/gocasebook/casebook/internal/number"
)

// A Request says what to analyze, and by what to rank it.
type Request struct {
	Dir      string   // where the go command runs; "" is here
	Packages []string // patterns of the go command; empty: ./...
	Tags     string   // build tags, as for go build

	Heat     *heat.Map                // nil: without heat, reports are in the order of their places
	Findings []Finding                // what detectors say of the same profiles; those at lines of the packages are reported
	Source   string                   // what speaks against the code being what ran, for the result; "" if nothing does
	Stale    func(file string) string // likewise of one file; nil: nobody knows
	Baseline *Baseline                // known reports are left out; nil: there are none
	Tool     string                   // this binary, which answers as As says
	Every    bool                     // also what means something only where it costs, without heat

	On func(step string) // called before each step that can take seconds; nil: nobody waits
}

func (r *Request) say(step string) {
	if r.On != nil {
		r.On(step)
	}
}

// A Result is what was reported. It encodes as `casebook lint --json`.
type Result struct {
	Schema   int      `json:"schema"`
	Heat     bool     `json:"heat"` // reports are ranked by what they cost
	Reports  []Report `json:"reports"`
	Cold     []Count  `json:"cold"`      // by check: reports below MinShare
	Known    int      `json:"known"`     // left out, because the baseline has them
	Written  int      `json:"generated"` // left out, because they are in generated files
	Gaps     []Gap    `json:"gaps"`
	Packages int      `json:"packages"`         // that were analyzed
	Source   string   `json:"source,omitempty"` // what speaks against the code being what ran: its lines may be others

	// Notes are what is known of the modules without heat. They are no reports, and nothing counts them.
	Notes []notes.Note `json:"notes,omitempty"`

	Root string   `json:"-"` // files are relative to it in the baseline
	All  []Report `json:"-"` // with the cold and known ones
}

// A Report is what a check says of some lines.
type Report struct {
	Rank    int     `json:"rank"`
	Check   string  `json:"check"`
	Source  string  `json:"source"` // whose check it is
	File    string  `json:"file"`   // absolute
	Line    int     `json:"line"`
	Column  int     `json:"column"`
	End     int     `json:"end_line"`
	Message string  `json:"message"`
	Package string  `json:"package"`
	Text    string  `json:"text,omitempty"` // the line
	Share   float64 `json:"share"`          // the largest of Cost, in what the check is about
	By      string  `json:"by,omitempty"`   // the measure that it is of
	Gain    float64 `json:"gain,omitempty"` // the part of it that the change saves, about; reports are ranked by it
	Fixable bool    `json:"fixable"`        // the check suggests an edit
	Fixes   []Fix   `json:"-"`              // that it suggests; casebook fix makes them

	Related []Place `json:"related,omitempty"` // other lines that it is about

	Stale string `json:"stale,omitempty"` // why the file may not be what ran

	Also []string `json:"also,omitempty"` // checks that say the same of the line

	Cost  map[string]float64 `json:"cost,omitempty"`  // shares of what the check would save some of, by measure
	Lines map[string]float64 `json:"lines,omitempty"` // shares of all that passes the lines, by measure
}

// A Place is some lines of a file, and what they are to a report.
type Place struct {
	File    string `json:"file"` // absolute
	Line    int    `json:"line"`
	End     int    `json:"end_line"`
	Message string `json:"message"`
}

// A Fix is a change that a check suggests.
type Fix struct {
	Message string `json:"message"`
	Edits   []Edit `json:"edits"`
}

// An Edit replaces bytes of a file.
type Edit struct {
	File  string `json:"filename"`
	Start int    `json:"start"` // offsets
	End   int    `json:"end"`
	New   string `json:"new"`
}

// A Count is how many reports of a check were folded.
type Count struct {
	Check   string `json:"check"`
	Source  string `json:"source"`
	Reports int    `json:"reports"`
}

// A Gap is what was not analyzed, and why.
type Gap struct {
	What   string `json:"what"`
	Reason string `json:"reason"`
}

// MinShare is what the change of a report must save to be listed, of any measure that its check is about. Of twenty lines
// below it, on services that nobody had looked at (docs/evidence/accuracy.md), one would have changed four.
const MinShare = 0.005

// Note adds what is known of the modules of the packages. A program that the go command cannot list has no notes: what
// is wrong with it is a Gap already.
func (r *Result) Note(ctx context.Context, q Request) {
	if len(q.Packages) == 0 {
		q.Packages = []string{"./..."}
	}
	if p, err := notes.Look(ctx, r.Root, q.Tags, q.Packages); err == nil {
		r.Notes = p.Notes()
	}
}

// Run analyzes packages.
func Run(ctx context.Context, r Request) (*Result, error) {
	if len(r.Packages) == 0 {
		r.Packages = []string{"./..."}
	}
	dir, err := filepath.Abs(r.Dir)
	if err != nil {
		return nil, fmt.Errorf("linting: %w", err)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, fmt.Errorf("linting: %w", err)
	}
	r.Dir = dir
	r.say("finding the packages")
	pkgs, gaps, err := r.list(ctx)
	if err != nil {
		return nil, err
	}
	r.say("analyzing " + number.Things(len(pkgs), "package") + "; the first run reads all dependencies, too")
	found, more, err := r.vet(ctx, pkgs)
	if err != nil {
		return nil, err
	}
	res := &Result{Schema: 1, Heat: r.Heat != nil, Gaps: append(gaps, more...), Packages: found.analyzed, Root: dir,
		Reports: []Report{}, Cold: []Count{}, Source: r.Source}
	if res.Gaps == nil {
		res.Gaps = []Gap{}
	}
	r.rank(found.reports, r.detected(dirsOf(pkgs)), res)
	return res, nil
}
