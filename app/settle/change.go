package settle

import (
	"fmt"
	"go/ast"
	"go/types"
	"path"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/syntax"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// A change is what the code shows is to be written: the first remedy of the finding.
//
// A detector knows what most programs with its finding need; which of them this one is, is in the code. So a change
// names the program's own variables and lines, and says nothing that was not read there.
type change struct {
	name  string // a stable slug
	title string // an imperative
	text  string // at which line, and with what
	price string
	// at is the line where it is to be made, if that is none of the finding's: of a caller, mostly.
	at ast.Node
	// not are the names of the finding's remedies that the code shows to be impossible, or not the matter.
	not  []string
	last bool // it is made only where no other remedy is left
	// general is of a change that would be said of any program where so much is read: one that the detector knows of
	// just this comes before it.
	general bool
}

// Names of remedies of package diagnose that a change may rule out.
const (
	heldForLess  = "held-for-less" // move what waits out of a lock
	moreReaders  = "more-readers"  // of a channel
	closeIt      = "close-channel" // so that a receive ends
	buildItOnce  = "build-once"    // what is made for each call
	keepEach     = "keep-each"     // of what is made, one for each argument
	seeHolder    = "see-holder"    // of memory
	boundIt      = "bound"         // what grows
	doItLess     = "general"       // what would be said of any program
	readUnlocked = "read-unlocked" // an immutable value behind a pointer
	copyOrBound  = "copy-or-bound" // what is kept of an input: a part, or all of it
)

// becomes gives an answer its change.
func becomes(as []answer, c change) []answer {
	if len(as) > 0 {
		as[0].change = &c
	}
	return as
}

// apply puts what the source says into a finding: its verdicts, by diagnose.WithSource, the changes before the other
// remedies, without those that the code rules out, and the line of the first change among the places. The change for a
// remedy whose need the code refutes stands where that stood.
func (q *inquiry) apply(f casefile.Finding, said []answer) casefile.Finding {
	var settled []casefile.Settled
	var changes, last []casefile.Remedy
	var place *casefile.Frame
	rest := slices.Clone(f.Remedies)
	for _, a := range said {
		settled = append(settled, a.settled(q))
		c := a.mine()
		needs := func(r casefile.Remedy) bool { return a.refutes != "" && r.Needs == a.refutes }
		if c == nil {
			if a.verdict == casefile.Adds && len(rest) > 1 {
				rest = slices.DeleteFunc(rest, needs)
			}
			continue
		}
		rest = slices.DeleteFunc(rest, func(r casefile.Remedy) bool {
			return r.Name != "" && slices.Contains(c.not, r.Name)
		})
		r := casefile.Remedy{Kind: casefile.Change, Name: c.name, Title: c.title, Text: c.text, Price: c.price}
		switch {
		case a.instead != nil:
			at := slices.Index(rest, *a.instead)
			if at >= 0 {
				rest[at] = r
			}
			if at == 0 && len(changes) == 0 && c.at != nil {
				place = a.frame(q, c.at)
			}
		case a.refutes != "":
			at := slices.IndexFunc(rest, needs)
			rest = slices.DeleteFunc(rest, needs)
			if last = append(last, r); at >= 0 && !c.last {
				rest = slices.Insert(rest, at, r)
			}
		case c.general && len(rest) > 0 && !inGeneral(rest[0]):
			rest = slices.Insert(rest, 1, r)
		case c.name == "" || slices.ContainsFunc(changes, func(r casefile.Remedy) bool { return r.Name == c.name }):
		default:
			if len(changes) == 0 && c.at != nil {
				place = a.frame(q, c.at)
			}
			changes = append(changes, r)
		}
	}
	f = diagnose.WithSource(f, compact(settled)...)
	if f.Remedies = append(changes, rest...); len(f.Remedies) == 0 {
		f.Remedies = last
	}
	if place != nil {
		f.Where = changedFirst(f.Where, *place)
	}
	return f
}

// inGeneral reports whether a remedy is one of any program with its finding.
func inGeneral(r casefile.Remedy) bool {
	return slices.Contains([]string{doItLess, boundIt, seeHolder, closeIt, buildItOnce, keepEach}, r.Name)
}

// mine is the change for who has the program: the code of a dependency is not theirs to change.
func (a answer) mine() *change {
	if a.change == nil || a.change.name == "" || a.unit.module == "" {
		return a.change
	}
	return &change{name: "newer-release", general: true, title: fmt.Sprintf("See whether a newer release of %s mends "+
		"it, and call it less", a.unit.module), text: fmt.Sprintf("The source of %s shows it: %s. Until that is mended "+
		"there, keep what it returns for the same input, or leave the call out.", a.unit.module, a.text),
		price: "what a newer release changes beside it"}
}

// changedFirst puts the line of a change before the other places.
func changedFirst(where []casefile.Frame, at casefile.Frame) []casefile.Frame {
	rest := slices.DeleteFunc(slices.Clone(where), func(w casefile.Frame) bool {
		same := path.Base(w.File) == path.Base(at.File) && w.Line == at.Line
		if same {
			at = w
		}
		return same
	})
	return slices.Insert(rest, 0, at)
}

// frame is the place of a node, as the finding's places are named. Its share is that of the place that the finding
// had.
func (a answer) frame(q *inquiry, n ast.Node) *casefile.Frame {
	name := "init" // of a variable of the package
	if d := a.unit.declared(n); d != nil {
		name = syntax.NameOf(d)
	}
	near := q.near(a.unit)
	slash := strings.LastIndexByte(near.frame.Function, '/') + 1
	pkg, _, _ := strings.Cut(near.frame.Function[slash:], ".")
	if pkg = near.frame.Function[:slash] + pkg; near.unit != a.unit {
		pkg = a.unit.pkg.Path()
	}
	return &casefile.Frame{Function: pkg + "." + name, File: q.fileOf(a.unit, n.Pos()),
		Line: a.unit.line(n.Pos()), Share: q.first().frame.Share, Role: "where the change belongs (source)"}
}

// near is the first place in a package.
func (q *inquiry) near(u *unit) *place {
	if i := slices.IndexFunc(q.places, func(p *place) bool { return p.unit == u }); i >= 0 {
		return q.places[i]
	}
	return q.first()
}

// maxCode is how many characters of a line to write are shown.
const maxCode = 70

// code is an expression as a person would write it, shortened if it is long.
func code(e ast.Expr) string {
	s := []rune(types.ExprString(e))
	if len(s) > maxCode {
		s = append(s[:maxCode], '…')
	}
	return string(s)
}

// among joins names as a person does: "a", "a and b", "a, b and c"; of many, the first ones.
func among(names []string) string {
	const shown = 3
	if len(names) > shown {
		names = append(slices.Clone(names[:shown]), "more")
	}
	switch n := len(names); n {
	case 0:
		return ""
	case 1:
		return names[0]
	default:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
}
