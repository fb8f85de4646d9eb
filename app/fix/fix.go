// Package fix makes the change that a finding or a diagnostic asks for, and proves it.
//
// The problem: a finding names the line and the remedy, and a diagnostic of casebook lint the mistake; then somebody
// writes the change, runs the tests and measures, or does not. The approach: a Target is a place with a kind of finding
// or a check; the suggested fixes of the analyzers and the rewriters of package rewrite answer with edits. Each change
// is type-checked with the old files around it (go's -overlay) and dropped if the package would not compile or export
// something else. Prove makes it in a worktree, builds, tests and measures, and keeps what is better.
//
// Nothing here writes into the tree that somebody works in, but Write.
package fix

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/fix/rewrite"
	"github.com/gocasebook/casebook/app/lint"
	"github.com/gocasebook/casebook/casefile"
)

// A Target is what is to be fixed.
type Target struct {
	Name     string  `json:"name"`            // as people call it: "AL013 regexp-compile", "regexpinfunc@orders.go:25"
	Kind     string  `json:"kind,omitempty"`  // of a finding
	Check    string  `json:"check,omitempty"` // of casebook lint
	Title    string  `json:"title,omitempty"`
	Places   []Place `json:"places"`             // the first is the one to change
	Share    float64 `json:"share,omitempty"`    // of the cost, to sort by
	Resource string  `json:"resource,omitempty"` // of the gain that the finding promises

	// Settings are variables of the environment that the finding's remedy sets: "GOGC=400".
	Settings []string `json:"settings,omitempty"`

	Gain  casefile.Gain `json:"gain,omitzero"`
	Stale string        `json:"stale,omitempty"` // why the code here may not be what ran

	Frames []string `json:"-"` // names of all functions of the finding
}

// A Place is a line on this machine.
type Place struct {
	File string `json:"file"` // absolute
	Line int    `json:"line"`
}

// A Proposal is a change for a target, or why there is none.
type Proposal struct {
	Target  Target `json:"target"`
	By      string `json:"by,omitempty"` // the rewriter, or the check whose suggestion it is
	Text    string `json:"text,omitempty"`
	Price   string `json:"price,omitempty"`
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Refused string `json:"refused,omitempty"`
	Diff    string `json:"diff,omitempty"`
	Proof   *Proof `json:"proof,omitempty"` // nil if nobody asked for one

	edits   []rewrite.Edit
	imports []rewrite.Import
	files   map[string][]byte // with this change alone
	pkg     string            // import path
}

// Config says where the code is and how it is analyzed.
type Config struct {
	Dir  string // the module's folder
	Tags string // build tags
	Tool string // this binary, for casebook lint; "": without its fixes
}

// Result is what came of all targets. It encodes as `casebook fix --json`.
type Result struct {
	Schema    int        `json:"schema"`
	Proposals []Proposal `json:"proposals"`
	Gaps      []lint.Gap `json:"gaps"`              // what could not be read
	Written   []string   `json:"written,omitempty"` // files that were changed
}

// Changed reports whether there is a change; if they were proved, one that is kept.
func (r *Result) Changed(proved bool) bool {
	if proved {
		return len(Kept(r.Proposals)) > 0
	}
	return slices.ContainsFunc(r.Proposals, func(c Proposal) bool { return c.Refused == "" })
}

// Kept are the changes that were proved to be better.
func Kept(ps []Proposal) (out []Proposal) {
	for _, c := range ps {
		if c.Refused == "" && c.Proof != nil && c.Proof.Kept {
			out = append(out, c)
		}
	}
	return out
}

// Propose finds changes for targets. A change that would not compile, or that changes what a package exports, is
// refused.
func Propose(ctx context.Context, cfg Config, targets []Target) (*Result, error) {
	p := &proposer{Config: cfg, ctx: ctx, res: &Result{Schema: 1, Proposals: []Proposal{}, Gaps: []lint.Gap{}},
		units: make(map[string]*rewrite.Unit), broken: make(map[string][]rewrite.Skip), changes: make(map[*rewrite.Unit]map[string][]rewrite.Change)}
	if err := p.load(targets); err != nil {
		return nil, err
	}
	for _, t := range targets {
		p.propose(t)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	p.settle()
	return p.res, nil
}

// A proposer looks for changes.
type proposer struct {
	Config
	ctx     context.Context // of Propose: it does not outlive it
	res     *Result
	units   map[string]*rewrite.Unit // by file
	all     []*rewrite.Unit
	reports []lint.Report
	changes map[*rewrite.Unit]map[string][]rewrite.Change // by rewriter
	broken  map[string][]rewrite.Skip                     // what did not compile before, by package
}

// load loads the packages of all places, and lints them.
func (p *proposer) load(targets []Target) error {
	var patterns []string
	for _, t := range targets {
		if p.wholeProgram(t) {
			patterns = append(patterns, "./...")
		}
		for _, at := range t.Places {
			if rel, err := filepath.Rel(p.Dir, filepath.Dir(at.File)); err == nil && filepath.IsLocal(rel) {
				patterns = append(patterns, "./"+filepath.ToSlash(rel))
			}
		}
	}
	slices.Sort(patterns)
	if patterns = slices.Compact(patterns); len(patterns) == 0 {
		return nil
	}
	units, skipped, err := rewrite.Loader{Dir: p.Dir, Tags: p.Tags}.Load(p.ctx, patterns...)
	if err != nil {
		return err
	}
	for _, s := range skipped {
		p.res.Gaps = append(p.res.Gaps, lint.Gap{What: s.Path, Reason: s.Reason})
	}
	p.all = units
	for _, u := range units {
		for file := range u.Source {
			p.units[file] = u
		}
	}
	if p.Tool == "" || len(units) == 0 {
		return nil
	}
	found, err := lint.Run(p.ctx, lint.Request{Dir: p.Dir, Packages: patterns, Tags: p.Tags, Tool: p.Tool, Every: true})
	if err != nil {
		return err
	}
	p.reports = found.All
	return nil
}

// wholeProgram reports whether a target's line may be anywhere.
func (p *proposer) wholeProgram(t Target) bool {
	return slices.ContainsFunc(rewrite.All(), func(r rewrite.Rewriter) bool { return reaches(&r, t) })
}

// reaches reports whether a rewriter looks for a target's cure in the whole program.
func reaches(r *rewrite.Rewriter, t Target) bool {
	if r.Anywhere && r.Cures(t.Kind) {
		return true
	}
	return slices.ContainsFunc(t.Frames, func(name string) bool { return slices.Contains(r.Calls, name) })
}

// propose adds the changes for a target, or says that there is none.
func (p *proposer) propose(t Target) {
	if t.Stale != "" {
		p.res.Proposals = append(p.res.Proposals, Proposal{Target: t, Refused: t.Stale})
		return
	}
	if isSetting(t) {
		p.res.Proposals = append(p.res.Proposals, setting(p.Dir, t))
		return
	}
	found := p.candidates(t)
	if len(found) == 0 {
		p.res.Proposals = append(p.res.Proposals, Proposal{Target: t, Refused: p.whyNothing(t)})
		return
	}
	made := slices.ContainsFunc(found, func(c Proposal) bool { return c.Refused == "" })
	for _, c := range found {
		if made && c.Refused != "" {
			continue // a neighbour
		}
		c.Target = t
		if c.File == "" && len(t.Places) > 0 {
			c.File, c.Line = t.Places[0].File, t.Places[0].Line
		}
		p.res.Proposals = append(p.res.Proposals, c)
	}
}

// whyNothing says why no rewriter found its form.
func (p *proposer) whyNothing(t Target) string {
	switch {
	case len(t.Places) == 0 && !p.wholeProgram(t):
		return "it names no place in the code that is here"
	case !Curable(t):
		return "no rewriter is for it; casebook fix --list says which kinds and checks have one"
	case len(t.Places) > 0 && p.units[t.Places[0].File] == nil:
		if why := untouchable(p.Dir, t.Places[0].File); why != "" {
			return why
		}
		return "its package could not be loaded"
	}
	return "the code there has none of the forms that a rewriter knows"
}

// Curable reports whether any rewriter or suggested fix is for the kind or check of a target.
func Curable(t Target) bool {
	return isSetting(t) || suggests(t.Check) || t.Kind != "" && len(checksOf(t.Kind)) > 0 ||
		slices.ContainsFunc(rewrite.All(), func(r rewrite.Rewriter) bool { return isFor(&r, t) || reaches(&r, t) })
}

// isFor reports whether a rewriter is for the kind or check of a target.
func isFor(r *rewrite.Rewriter, t Target) bool {
	return t.Kind != "" && r.Cures(t.Kind) || t.Check != "" && r.Answers(t.Check)
}

// candidates are the changes at the nearest to the places that has any: their lines, their functions, what these call
// in their package and who calls them there, their file if it has only one, and the whole program for what may be
// anywhere.
func (p *proposer) candidates(t Target) (out []Proposal) {
	var refused []Proposal
	levels := []nearness{p.onLine, p.in((*rewrite.Unit).Functions),
		p.in((*rewrite.Unit).Called), p.in((*rewrite.Unit).Callers), p.inFile}
	if t.Kind == "alloc-site" { // any allocation: what is near is another one
		levels = levels[:2]
	}
	for i, near := range levels {
		for _, at := range t.Places {
			is := near(t, at)
			for _, c := range append(p.rewritten(t, at.File, is), p.suggested(t, is)...) {
				switch {
				case c.Refused != "":
					refused = append(refused, c)
				case !slices.ContainsFunc(out, c.overlaps): // of two forms of a change the first is made
					out = append(out, c)
				}
			}
			if len(out) > 1 && i == 4 { // inFile, whose only one it must be
				return nil
			}
			if len(out) > 0 {
				return out
			}
		}
	}
	for _, r := range rewrite.All() {
		if !reaches(&r, t) {
			continue
		}
		for _, u := range p.all {
			for _, c := range p.find(&r, u) {
				out = append(out, ofChange(&r, u, c))
			}
		}
	}
	return append(out, unique(refused)...)
}

// overlaps reports whether two changes are of the same code.
func (c *Proposal) overlaps(o Proposal) bool {
	return slices.ContainsFunc(c.edits, func(a rewrite.Edit) bool {
		return slices.ContainsFunc(o.edits, func(b rewrite.Edit) bool {
			return a.File == b.File && a.From < b.To && b.From < a.To
		})
	})
}

// unique leaves out refusals that say the same of the same line.
func unique(ps []Proposal) (out []Proposal) {
	for _, p := range ps {
		if !slices.ContainsFunc(out, func(o Proposal) bool {
			return o.By == p.By && o.File == p.File && o.Line == p.Line && o.Refused == p.Refused
		}) {
			out = append(out, p)
		}
	}
	return out
}

// A nearness says which lines are near to a place of a target.
type nearness func(Target, Place) func(rewrite.Lines) bool

func (p *proposer) onLine(_ Target, at Place) func(rewrite.Lines) bool {
	return func(l rewrite.Lines) bool { return l.Has(at.File, at.Line) }
}

// in is for the lines of some functions about a place. A diagnostic is of its line.
func (p *proposer) in(of func(u *rewrite.Unit, file string, line int) []rewrite.Lines) nearness {
	return func(t Target, at Place) func(rewrite.Lines) bool {
		u := p.units[at.File]
		if u == nil || t.Check != "" {
			return func(rewrite.Lines) bool { return false }
		}
		functions := of(u, at.File, at.Line)
		return func(l rewrite.Lines) bool {
			return slices.ContainsFunc(functions, func(f rewrite.Lines) bool {
				return l.File == f.File && f.From <= l.From && l.To <= f.To
			})
		}
	}
}

// inFile is for what is called through an interface, as the Write of a compressor that a handler makes.
func (p *proposer) inFile(t Target, at Place) func(rewrite.Lines) bool {
	return func(l rewrite.Lines) bool { return t.Check == "" && l.File == at.File }
}

// rewritten are the changes of rewriters in the package of a file.
func (p *proposer) rewritten(t Target, file string, is func(rewrite.Lines) bool) (out []Proposal) {
	u := p.units[file]
	if u == nil {
		return nil
	}
	for _, r := range rewrite.All() {
		if !isFor(&r, t) {
			continue
		}
		for _, c := range p.find(&r, u) {
			if slices.ContainsFunc(c.Where, is) {
				out = append(out, ofChange(&r, u, c))
			}
		}
	}
	return out
}

func (p *proposer) find(r *rewrite.Rewriter, u *rewrite.Unit) []rewrite.Change {
	if p.changes[u] == nil {
		p.changes[u] = make(map[string][]rewrite.Change)
	}
	found, ok := p.changes[u][r.Name]
	if !ok {
		found = r.Find(u)
		p.changes[u][r.Name] = found
	}
	return found
}

func ofChange(r *rewrite.Rewriter, u *rewrite.Unit, c rewrite.Change) Proposal {
	return Proposal{By: r.Name, Text: c.Text, Price: r.Price, File: c.Where[0].File, Line: c.Where[0].From,
		Refused: c.Refused, edits: c.Edits, imports: c.Imports, pkg: u.Path}
}

// suggested are the fixes that analyzers suggest.
func (p *proposer) suggested(t Target, is func(rewrite.Lines) bool) (out []Proposal) {
	for _, rep := range p.reports {
		wanted := t.Check != "" && (rep.Check == t.Check || slices.Contains(rep.Also, t.Check)) ||
			t.Kind != "" && slices.Contains(checksOf(t.Kind), rep.Check)
		if !wanted || len(rep.Fixes) == 0 || !is(rewrite.Lines{File: rep.File, From: rep.Line, To: rep.End}) {
			continue
		}
		c := Proposal{By: rep.Check, Text: rep.Fixes[0].Message, File: rep.File, Line: rep.Line, pkg: rep.Package}
		if c.Text == "" {
			c.Text = rep.Message
		}
		for _, e := range rep.Fixes[0].Edits {
			c.edits = append(c.edits, rewrite.Edit{File: e.File, From: e.Start, To: e.End, New: e.New})
		}
		out = append(out, c)
	}
	return out
}

// settle drops what must not be changed or does not compile, one of several proposals of the same edits, and makes the
// diffs.
func (p *proposer) settle() {
	seen := make(map[string]bool)
	kept := p.res.Proposals[:0]
	for _, c := range p.res.Proposals {
		if c.Refused == "" {
			key := fmt.Sprint(c.edits)
			if seen[key] {
				continue // it is another target's change, too
			}
			seen[key] = true
			p.check(&c)
		}
		kept = append(kept, c)
	}
	p.res.Proposals = kept
	slices.SortStableFunc(p.res.Proposals, func(a, b Proposal) int { return cmp.Compare(b.Target.Share, a.Target.Share) })
}

// check makes the files of a change, and refuses one that cannot stay.
func (p *proposer) check(c *Proposal) {
	for _, e := range c.edits {
		if why := untouchable(p.Dir, e.File); why != "" {
			c.Refused = why
			return
		}
	}
	files, err := rewrite.Apply(os.ReadFile, c.edits, c.imports)
	if err != nil {
		c.Refused = err.Error()
		return
	}
	c.files = files
	if c.By != bySetting {
		if c.Refused = p.verify(c); c.Refused != "" {
			return
		}
	}
	c.Diff = diffs(p.Dir, files)
}

// verify loads the package with the change, and says what is wrong with it.
func (p *proposer) verify(c *Proposal) string {
	var was *rewrite.Unit
	for file := range c.files {
		was = p.units[file]
	}
	if was == nil {
		return "its package could not be loaded"
	}
	l := rewrite.Loader{Dir: p.Dir, Tags: p.Tags, Overlay: c.files, Tests: true}
	units, skipped, err := l.Load(p.ctx, was.Path)
	skipped = slices.DeleteFunc(skipped, func(s rewrite.Skip) bool { return p.brokenTests(was.Path, s.Path) })
	switch {
	case err != nil:
		return "with the change the package cannot be loaded: " + err.Error()
	case len(skipped) > 0:
		return "with the change the package does not compile: " + skipped[0].Reason
	case len(units) != 1:
		return "with the change the package cannot be loaded"
	case units[0].API() != was.API():
		return "it would change what the package exports"
	}
	return ""
}

// brokenTests reports whether the tests of a package do not compile without a change, either.
func (p *proposer) brokenTests(pkg, name string) bool {
	if pkg == name {
		return false
	}
	if _, known := p.broken[pkg]; !known {
		_, skipped, _ := rewrite.Loader{Dir: p.Dir, Tags: p.Tags, Tests: true}.Load(p.ctx, pkg) // then nothing is known broken
		p.broken[pkg] = skipped
	}
	return slices.ContainsFunc(p.broken[pkg], func(s rewrite.Skip) bool { return s.Path == name })
}

// untouchable says why a file must not be changed.
func untouchable(dir, file string) string {
	rel, err := filepath.Rel(dir, file)
	slashed := filepath.ToSlash(file)
	switch {
	case strings.Contains(slashed, "/pkg/mod/"):
		return file + " is in the module cache: the change belongs into that module"
	case strings.HasPrefix(filepath.ToSlash(rel), "vendor/") || strings.Contains(slashed, "/vendor/"):
		return file + " is vendored: the change belongs into that module"
	case err != nil || !filepath.IsLocal(rel):
		return file + " is not in " + dir
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.PackageClauseOnly)
	if err == nil && ast.IsGenerated(f) {
		return file + " is generated: the change belongs into its generator"
	}
	return ""
}
