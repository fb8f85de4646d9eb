package answer

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/casefile"
)

// leastOfMost is the part of the harm of the most harmful fact from which on a fact has weight: a place that a
// hundredth of the CPU goes to is no answer to what a case is about. Of an idle service all facts do little harm, and
// the largest is what can be answered.
const leastOfMost = 0.1

// places checks that the places exist, and that facts of weight are there.
func (c *check) places(context.Context) {
	byPlace := make([][]*facts.Fact, len(c.a.Place))
	for i, at := range c.a.Place {
		byPlace[i] = c.factsAt(at)
		for _, f := range byPlace[i] {
			if !slices.Contains(c.at, f) {
				c.at = append(c.at, f)
			}
		}
	}
	slices.SortStableFunc(c.at, func(x, y *facts.Fact) int { return cmp.Compare(y.Harm, x.Harm) })
	connected := slices.ContainsFunc(c.a.Place, func(at casefile.At) bool { return c.passesWeight(at, c.factsAt(at)) })
	for i, at := range c.a.Place {
		p := placed{check: c, at: at, facts: byPlace[i], others: i > 0 || len(c.a.Place) > 1, connected: connected}
		p.judge()
		c.user = c.user || p.mine()
	}
}

// factsAt are the facts with a stack that passes a place, the most harmful first, with those that are about them.
func (c *check) factsAt(at casefile.At) (all []*facts.Fact) {
	for i := range c.sheet.Facts {
		f := &c.sheet.Facts[i]
		if passes(f, func(x facts.Frame) bool { return isAt(at, x) }) {
			all = append(all, f)
		}
	}
	for i := range c.sheet.Facts {
		f := &c.sheet.Facts[i]
		about := slices.ContainsFunc(f.Of, func(id string) bool {
			return slices.ContainsFunc(all, func(x *facts.Fact) bool { return x.ID == id })
		})
		if about && (f.Sort == facts.Known || f.Sort == facts.Judged) && !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	return all
}

// passes reports whether a stack of a fact has such a frame.
func passes(f *facts.Fact, is func(facts.Frame) bool) bool {
	return slices.ContainsFunc(f.Stacks, func(s facts.Stack) bool { return slices.ContainsFunc(s.Frames, is) })
}

// hasWeight reports whether a fact can explain a part of what people feel.
func (c *check) hasWeight(f *facts.Fact) bool {
	most := 0.0
	for i := range c.sheet.Facts {
		if x := &c.sheet.Facts[i]; len(x.Stacks) > 0 {
			most = max(most, x.Harm)
		}
	}
	switch f.Sort {
	case facts.Wait, facts.Cost, facts.Machine, facts.Judged:
		return f.Harm > 0 && f.Harm >= leastOfMost*most
	case facts.Hold:
		return f.Harm > 0 && f.Harm >= leastOfMost*most && !c.steady(f)
	}
	return false
}

// steady reports whether a fact is about memory that does not grow, while most of what the heap grows by is another's.
func (c *check) steady(f *facts.Fact) bool {
	if !bounds(f, "memory") || growth(f) > 0 || c.knownToStay(f) {
		return false
	}
	for i := range c.sheet.Facts {
		if x := &c.sheet.Facts[i]; x != f && x.Sort == facts.Hold && growth(x) >= mostOfGrowth {
			return true
		}
	}
	return false
}

// knownToStay reports whether nothing was ever freed of what a fact is about, at a place that experts know for it.
func (c *check) knownToStay(f *facts.Fact) bool {
	if !slices.ContainsFunc(f.Numbers, func(n facts.Number) bool { return n.Name == "freed" && n.Value == 0 }) {
		return false
	}
	return slices.ContainsFunc(c.sheet.Facts, func(k facts.Fact) bool {
		return k.Sort == facts.Known && slices.Contains(k.Of, f.ID)
	})
}

// mostOfGrowth is the part of what the heap grew by that makes one fact its cause.
const mostOfGrowth = 0.5

// growth is the part of what the heap grew by that a fact is about; 0 where it grew by no more than chance.
func growth(f *facts.Fact) float64 {
	for _, n := range f.Numbers {
		if n.Name == facts.ShareOfGrowth {
			return n.Value
		}
	}
	return 0
}

// A placed is one place while it is judged.
type placed struct {
	*check
	at        casefile.At
	facts     []*facts.Fact
	others    bool // the answer has further places
	connected bool // one of them is at a fact of weight
}

// judge says what is known of the place.
func (p *placed) judge() {
	frames := p.frames()
	fn, inCode := p.inSource()
	switch {
	case len(frames) == 0 && p.mayBeThere():
		p.say(casefile.Supported, AboutPlace, placeText(p.at)+" is on no stack; its type has methods that are, and "+
			"without the source nobody knows whether it is there")
	case len(frames) == 0 && fn == nil && !inCode:
		p.say(casefile.Unsupported, AboutPlace, p.absent())
	case p.lineIsWrong(frames, fn):
	case p.passesWeight(p.at, p.facts), p.aboutMachine() && p.isMachine():
		if len(p.facts) == 0 {
			p.say(casefile.Supported, AboutPlace, placeText(p.at)+" is there; what is short is the machine's")
			return
		}
		p.say(casefile.Supported, AboutPlace, fmt.Sprintf("%s is on the stacks of %s", placeText(p.at), ids(p.facts)),
			p.facts...)
		p.noteLine(frames, fn)
	case len(p.facts) > 0 && !p.connected:
		p.say(casefile.Unsupported, AboutPlace, fmt.Sprintf("%s is on the stacks of %s, which explain little of "+
			"what is "+
			"felt%s", placeText(p.at), ids(p.facts), p.seeFirst()), p.facts...)
	case fn != nil && p.reaches(fn) != "":
		p.say(casefile.Supported, AboutPlace, fmt.Sprintf("%s is on no stack of a fact; its code reaches %s, which is",
			placeText(p.at), p.reaches(fn)))
	case p.connected:
		p.say(casefile.Supported, AboutPlace, fmt.Sprintf("%s is there, and no fact of weight is at it",
			placeText(p.at)))
	default:
		p.say(casefile.Unsupported, AboutPlace, fmt.Sprintf("%s is there, and no fact is at it%s", placeText(p.at),
			p.seeFirst()))
	}
}

// mayBeThere reports whether a further place is a method of a type of the program that facts have methods of, and no
// source says whether it has this one: what runs for a moment is on no stack.
func (p *placed) mayBeThere() bool {
	said := functionOf(p.at.Function)
	receiver, _, method := strings.Cut(said.name, ".")
	if p.code != nil || !p.connected || p.at == p.a.Place[0] || !method {
		return false
	}
	return slices.ContainsFunc(p.sheet.Facts, func(f facts.Fact) bool {
		return passes(&f, func(x facts.Frame) bool {
			seen := functionOf(x.Function)
			return x.Owner == facts.User && samePackage(said.pkg, seen.pkg) && strings.HasPrefix(seen.name, receiver+".")
		})
	})
}

// passesWeight reports whether a stack of a fact of weight passes a place: what is only judged together with another
// place is that one's.
func (c *check) passesWeight(at casefile.At, all []*facts.Fact) bool {
	return slices.ContainsFunc(all, func(f *facts.Fact) bool {
		return c.hasWeight(f) && passes(f, func(x facts.Frame) bool { return isAt(at, x) })
	})
}

// aboutMachine reports whether the answer says that the process lacks CPU, which no place in code does.
func (c *check) aboutMachine() bool {
	return slices.ContainsFunc(classes(), func(k class) bool {
		return k.machine && k.form.MatchString(strings.ToLower(c.a.Change))
	})
}

// isMachine reports whether a fact about the machine has weight.
func (c *check) isMachine() bool {
	return slices.ContainsFunc(c.sheet.Facts,
		func(f facts.Fact) bool { return f.Sort == facts.Machine && c.hasWeight(&f) })
}

// seeFirst names the most harmful facts.
func (c *check) seeFirst() string {
	if all := c.worst(); len(all) > 0 {
		return "; see " + ids(all) + " first"
	}
	return ""
}

// worst are the most harmful facts that have a place.
func (c *check) worst() (all []*facts.Fact) {
	for i := range c.sheet.Facts {
		if f := &c.sheet.Facts[i]; len(f.Stacks) > 0 && c.hasWeight(f) {
			all = append(all, f)
		}
	}
	slices.SortStableFunc(all, func(x, y *facts.Fact) int { return cmp.Compare(y.Harm, x.Harm) })
	return all[:min(len(all), 2)]
}

// frames are the frames of the evidence at the place: of facts, and of all else that was seen.
func (p *placed) frames() (all []facts.Frame) {
	for i := range p.sheet.Facts {
		for _, s := range p.sheet.Facts[i].Stacks {
			for _, x := range s.Frames {
				if isAt(p.at, x) {
					all = append(all, x)
				}
			}
		}
	}
	return append(all, p.seen(p.at)...)
}

// inSource is the function of the source at the place, and whether the source has the place at all.
func (p *placed) inSource() (fn *declared, is bool) {
	if p.code == nil {
		return nil, false
	}
	if p.at.Function != "" {
		_, fn = p.code.function(p.at.Function)
		return fn, fn != nil
	}
	f := p.code.file(p.at.File)
	if f == nil || p.at.Line > f.lines {
		return nil, false
	}
	return f.at(p.at.Line), true
}

// absent says that a place is nowhere.
func (p *placed) absent() string {
	source := ""
	if p.code != nil {
		source = ", and in no file of the source"
	}
	switch {
	case p.at.Function != "":
		return fmt.Sprintf("%s is on no stack of the evidence%s", p.at.Function, source)
	case p.at.Line > 0:
		return fmt.Sprintf("%s has no line %d in any stack of the evidence%s", p.at.File, p.at.Line, source)
	}
	return fmt.Sprintf("%s is in no stack of the evidence%s", p.at.File, source)
}

// lineIsWrong says so if the file or the line of a function that exists is not the function's.
func (p *placed) lineIsWrong(frames []facts.Frame, fn *declared) bool {
	if p.at.Function == "" {
		return false
	}
	if wrong := p.wrongFile(frames, fn); wrong != "" {
		p.say(casefile.Contradicted, AboutPlace, wrong, p.facts...)
		return true
	}
	if p.at.Line == 0 || slices.ContainsFunc(frames, func(x facts.Frame) bool { return x.Line == p.at.Line }) {
		return false
	}
	if fn != nil {
		if fn.from <= p.at.Line && p.at.Line <= fn.to || p.owner(frames) != facts.User {
			return false
		}
		p.say(casefile.Contradicted, AboutPlace, fmt.Sprintf("line %d is not in %s, which has lines %d to %d of "+
			"the source",
			p.at.Line, p.at.Function, fn.from, fn.to), p.facts...)
		return true
	}
	low, high := span(frames)
	if low == 0 || low-nearby <= p.at.Line && p.at.Line <= high+nearby {
		return false
	}
	p.say(casefile.Unsupported, AboutPlace, fmt.Sprintf("%s is on the stacks at %s; no stack has its line %d",
		p.at.Function, linesText(low, high), p.at.Line), p.facts...)
	return true
}

// nearby is how far from the lines of a function that stacks have a line may be without the source: the statement
// before, or after.
const nearby = 3

// wrongFile says that a function is in another file than the one that was named; "" if it is not known to be.
func (p *placed) wrongFile(frames []facts.Frame, fn *declared) string {
	if p.at.File == "" {
		return ""
	}
	other := ""
	for _, x := range frames {
		switch {
		case x.File == "":
		case sameFile(p.at.File, x.File):
			return ""
		default:
			other = path.Base(slashed(x.File))
		}
	}
	if other == "" {
		return ""
	}
	if f := p.codeFile(fn); f != nil && sameFile(p.at.File, f.rel) {
		return ""
	}
	return fmt.Sprintf("%s is in %s, and not in %s", p.at.Function, other, p.at.File)
}

// codeFile is the file that a function of the source is in.
func (p *placed) codeFile(fn *declared) *codeFile {
	if fn == nil {
		return nil
	}
	f, _ := p.code.function(p.at.Function)
	return f
}

// owner is whose code frames are.
func (p *placed) owner(frames []facts.Frame) string {
	for _, x := range frames {
		if x.Owner != "" {
			return x.Owner
		}
	}
	return facts.User
}

// noteLine says that no stack has the line of a function that is on some.
func (p *placed) noteLine(frames []facts.Frame, fn *declared) {
	if p.at.Line == 0 || slices.ContainsFunc(frames, func(x facts.Frame) bool { return x.Line == p.at.Line }) {
		return
	}
	where := "near the lines that do"
	if fn != nil {
		where = "inside of " + fn.name
	}
	p.say(casefile.Supported, AboutPlace, fmt.Sprintf("no stack has line %d; it is %s", p.at.Line, where))
}

// reaches is a function on the stacks of facts of weight that a function's code calls or makes; "" if none is.
func (p *placed) reaches(fn *declared) string {
	var names []string
	for _, f := range p.sheet.Facts {
		if !p.hasWeight(&f) {
			continue
		}
		for _, s := range f.Stacks {
			for _, x := range s.Frames {
				if x.Owner == facts.User || x.Owner == facts.Dependency {
					names = append(names, x.Function)
				}
			}
		}
	}
	return fn.mentions(names)
}

// mine reports whether the place is in code of the user's.
func (p *placed) mine() bool {
	if fn, _ := p.inSource(); fn != nil {
		return true
	}
	return slices.ContainsFunc(p.frames(), func(x facts.Frame) bool { return x.Owner == facts.User })
}

// span is the first and the last line of frames; 0 without any.
func span(frames []facts.Frame) (low, high int) {
	for _, x := range frames {
		if x.Line > 0 && (low == 0 || x.Line < low) {
			low = x.Line
		}
		high = max(high, x.Line)
	}
	return low, high
}

func linesText(low, high int) string {
	if low == high {
		return fmt.Sprintf("line %d", low)
	}
	return fmt.Sprintf("lines %d to %d", low, high)
}

// seen are frames of all else that the evidence has at a place.
func (c *check) seen(at casefile.At) (all []facts.Frame) {
	if c.sheet.Seen == nil {
		return nil
	}
	if at.Function == "" {
		if sight := c.sheet.Seen.Line(at.File, at.Line); sight.Known || at.Line == 0 && sight.File != "" {
			for _, name := range append(sight.Functions, "")[:1] {
				all = append(all, facts.Frame{Function: name, File: sight.File, Line: at.Line, Owner: c.ownerOf(name)})
			}
		}
		return all
	}
	said := functionOf(at.Function)
	sight := c.sheet.Seen.Function(at.Function)
	if !sight.Known && said.pkg != "" { // "minio" is github.com/minio/minio-go/v7
		sight = c.sheet.Seen.Function(said.name)
	}
	for _, full := range sight.Functions {
		if !samePackage(said.pkg, functionOf(full).pkg) && !sameFunction(at.Function, full) {
			continue
		}
		of := c.sheet.Seen.Function(full)
		for _, line := range append(of.Lines, 0) {
			all = append(all, facts.Frame{Function: full, File: of.File, Line: line, Owner: c.ownerOf(full)})
		}
	}
	return all
}

// ownerOf is whose a function is, as far as its name tells.
func (c *check) ownerOf(function string) string {
	pkg, mod := functionOf(function).pkg, c.sheet.Subject.Module
	switch {
	case pkg == "main", mod != "" && (pkg == mod || strings.HasPrefix(pkg, mod+"/")):
		return facts.User
	case !strings.Contains(strings.SplitN(pkg, "/", 2)[0], "."):
		return facts.Std
	}
	return facts.Dependency
}
