// Package settle asks the source of a program what a profile alone cannot tell of a finding.
//
// The problem: a profile shows that goroutines wait at a line, or that a loop takes the CPU; whether somebody may
// still receive from the channel, or whether the loop searches, is in the code. The approach: the packages of a
// finding's places are parsed and, where that is cheap, type-checked against the export data of what they import; each
// question (questions.go) looks at the places of the kinds that it knows, and answers with what it read and at which
// lines. An answer confirms the finding, contradicts it, or adds to it; diagnose.WithSource says what that makes of
// its confidence and its score.
//
// A question says nothing unless the syntax shows it. Silence is the usual answer, and means nothing: what is behind
// an interface, in another package, or in a loop of the caller is not followed, but into functions of the same
// package.
//
// Limits: source that is not the build's is not read (source.Places.Match decides, and so does each function's name at
// its place). Types need the go command and, once, a compiled build of what is imported; without them, after Limit, or
// for code that does not compile, names are taken for what they say (http.Get, mu.Lock), and Note says what was left
// out.
package settle

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/app/source"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/number"
)

// Config says where the source is.
type Config struct {
	Places *source.Places
	Starts []diagnose.Start // of functions of the evidence: whether the source is the build's
	// Sheet is what the evidence shows; nil where that is not known. Where nothing above a notice was found, the source is
	// asked about its facts, too.
	Sheet *facts.Sheet
	Cache string        // folder in which is kept what types need of the go command; "" keeps nothing
	Limit time.Duration // for types, and 5 s or more for questions; zero means 5 s
}

// typeTime is how long loading types may take: a diagnosis takes about a second.
const typeTime = 5 * time.Second

// most is how many places of a finding are asked about: the rest is context.
const most = 4

// A Result is what was read.
type Result struct {
	Asked   int    // findings of which a question knows the kind and the place
	Settled int    // findings of which the source says something
	Found   int    // findings that the source alone has made
	Note    string // what was left out, and why; "" for nothing
}

// Run asks the source about the findings of a diagnosis, and puts the answers into them. It never fails: what cannot
// be read is said.
func Run(ctx context.Context, c Config, d *casefile.Diagnosis) (res Result) {
	defer func() {
		if p := recover(); p != nil { // of go/types or go/packages, on code that they cannot bear
			res.Note = fmt.Sprintf("it settles nothing: reading it failed: %v", p)
		}
	}()
	findings := d.Findings
	was := rootOf(d)
	sheet := c.Sheet
	if sheet == nil {
		sheet = new(facts.Sheet)
	}
	l := &loader{places: c.Places, limit: c.Limit, cache: c.Cache, waits: waitsOf(sheet.Facts),
		facts: sheet.Facts, crowds: sheet.Crowds}
	var wanted []wantedPlace
	for i := range findings {
		if len(questionsFor(&findings[i])) > 0 {
			wanted = append(wanted, placesOf(&findings[i])...)
			_, stack := l.heldBy(&findings[i])
			for _, f := range stack {
				wanted = append(wanted, wantedPlace{findings[i].Kind, f})
			}
		}
	}
	var asked []suspect
	if Silent(d) {
		asked = suspects(sheet.Facts)
	}
	asked = append(unknownWaits(d.Verdict, sheet.Facts), asked...)
	for i := range asked {
		wanted = append(wanted, placesOf(&asked[i].finding)...)
	}
	if len(wanted) == 0 {
		return Result{}
	}
	if m := c.Places.Match(ctx, located(c.Places, wanted, c.Starts)); m.Stale() {
		return Result{Note: "it settles nothing, because it is not what ran: " + m.String()}
	}
	if l.limit <= 0 {
		l.limit = typeTime
	}
	l.load(ctx, wanted)
	ctx, cancel := context.WithTimeout(ctx, max(l.limit, typeTime))
	defer cancel()
	for i := range findings {
		if ctx.Err() != nil {
			l.leaveOut(fmt.Sprintf("only the first findings were asked about, within %s", max(l.limit, typeTime)))
			break
		}
		f := &findings[i]
		q, said := l.ask(ctx, f, findings)
		if q != nil {
			res.Asked++
		}
		if len(said) > 0 {
			res.Settled++
			findings[i] = q.apply(*f, said)
		}
	}
	if was != nil {
		diagnose.Reword(d, *was)
	}
	res.Found = l.breakSilence(ctx, d, asked)
	res.Note = l.note()
	return res
}

// rootOf is the finding that a diagnosis begins with, as it is before the source is asked; nil without one.
func rootOf(d *casefile.Diagnosis) *casefile.Finding {
	for _, f := range d.Findings {
		if d.Verdict != nil && f.ID == d.Verdict.Root {
			return &f
		}
	}
	return nil
}

// located are the functions that decide whether the source is the build's: those in the files of the places. Files
// that are known to be another version's are left out by themselves.
func located(p *source.Places, wanted []wantedPlace, all []diagnose.Start) (out []source.Function) {
	files := make(map[string]bool)
	for _, w := range wanted {
		files[w.frame.File] = true
	}
	for _, f := range all {
		if !files[f.File] {
			continue
		}
		if found := p.File(casefile.Frame{Function: f.Function, File: f.File}); found.Stale == "" {
			out = append(out, source.Function{Name: f.Function, File: found.File, Start: f.Line})
		}
	}
	return out
}

// A wantedPlace is a place of a finding.
type wantedPlace struct {
	kind  string
	frame casefile.Frame
}

// placesOf are the places of a finding that have a line.
func placesOf(f *casefile.Finding) (out []wantedPlace) {
	for _, w := range f.Where {
		if w.Line > 0 && w.File != "" && len(out) < most {
			out = append(out, wantedPlace{f.Kind, w})
		}
	}
	return out
}

// ask puts the questions of a finding's kind; nil where there is none, or no place of it is here. A question that
// panics on some code has no answer.
func (l *loader) ask(ctx context.Context, f *casefile.Finding, all []casefile.Finding) (q *inquiry, said []answer) {
	q = &inquiry{finding: f, others: all, waits: l.waits, crowds: l.crowds, module: l.places.Tree.Module}
	for _, w := range placesOf(f) {
		if p := l.place(w.frame); p != nil {
			p.away = len(q.places) > 0 && p.file != q.first().file
			q.places = append(q.places, p)
		}
	}
	held, stack := l.heldBy(f)
	q.grows, q.level = held != nil && hasGrown(held), held != nil && !hasGrown(held)
	for _, f := range stack {
		p := l.place(f)
		if p == nil {
			break
		}
		q.stack = append(q.stack, p)
	}
	q.packages = sync.OnceValue(func() []*unit { return l.around(ctx) })
	q.having = func(name string) []*unit { return l.having(ctx, name) }
	q.goes = sync.OnceValue(q.follow)
	if len(q.places) == 0 {
		return nil, nil
	}
	for _, question := range questionsFor(f) {
		if ctx.Err() != nil {
			break
		}
		said = append(said, l.answers(q, question)...)
	}
	return q, said
}

func (l *loader) answers(q *inquiry, question question) (out []answer) {
	defer func() {
		if p := recover(); p != nil {
			out = nil
			l.leaveOut(fmt.Sprintf("%s: the question of %s failed: %v", q.first().frame.Function, question.name, p))
		}
	}()
	out = question.ask(q)
	for i := range out {
		if question.kinds == nil && out[i].instead == nil {
			out[i].refutes = question.name
		}
	}
	return out
}

// compact leaves out what is said twice.
func compact(said []casefile.Settled) (out []casefile.Settled) {
	for _, s := range said {
		if !slices.ContainsFunc(out, func(o casefile.Settled) bool { return reflect.DeepEqual(o, s) }) {
			out = append(out, s)
		}
	}
	return out
}

// note says what was left out.
func (l *loader) note() string {
	if len(l.left) == 0 {
		return ""
	}
	shown := l.left[:min(len(l.left), 3)]
	text := "what it settles is not all: " + strings.Join(shown, "; ")
	if n := len(l.left) - len(shown); n > 0 {
		text += "; and " + number.Things(n, "more package")
	}
	return text
}
