package escape

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// An index finds what is known of a line.
type index struct {
	c       *compiled
	remarks map[Place][]*remark // by their innermost line
	outer   map[Place][]*remark // those of inlined calls, by the lines that call
	told    map[string]bool     // files of which the compiler says anything
	owner   *owner
	local   map[string]string // files of the build by package and name → on this machine
}

func newIndex(c *compiled, o *owner) *index {
	x := &index{c: c, remarks: make(map[Place][]*remark), outer: make(map[Place][]*remark), owner: o,
		told: make(map[string]bool), local: make(map[string]string)}
	for i := range c.remarks {
		r := &c.remarks[i]
		at := r.At[0].line()
		x.remarks[at] = append(x.remarks[at], r)
		x.told[r.At[len(r.At)-1].File] = true
		for _, at := range r.At[1:] {
			x.outer[at.line()] = append(x.outer[at.line()], r)
		}
	}
	return x
}

// file is a frame's file on this machine: the one of that name in the function's package; "" if it is not here.
func (x *index) file(f frame) string {
	key := f.pkg + "\x00" + f.file
	known, ok := x.local[key]
	if !ok {
		known = x.find(f)
		x.local[key] = known
	}
	return known
}

func (x *index) find(f frame) string {
	name := strings.ReplaceAll(f.file, `\`, "/")
	if _, ok := x.c.files[filepath.Clean(f.file)]; ok {
		return filepath.Clean(f.file)
	}
	pkg := x.owner.path(f)
	same := x.c.byBase[path.Base(name)]
	for _, p := range same {
		if p.pkg.PkgPath == pkg {
			return p.path
		}
	}
	// The file of another package: a function literal that was inlined is named after the function that it is in now.
	dir := path.Base(path.Dir(name))
	for _, p := range same {
		if filepath.Base(filepath.Dir(p.path)) == dir {
			return p.path
		}
	}
	return ""
}

// A verdict is what became of a site.
type verdict int

const (
	explained verdict = iota
	skipped
	notBuilt
	noSource
	stale
	nothing
)

// explain says why the innermost frame of a site allocates.
func (x *index) explain(s *site) (Reason, verdict) {
	leaf := s.stack[0]
	if s.runtime != "" || leaf.owner == stacks.Runtime {
		in := standInOf(cmp.Or(s.runtime, leaf.function))
		why := "is made by " + cmp.Or(s.runtime, leaf.function)
		return Reason{Kind: in.kind, What: in.what, Why: why, From: FromRuntime, At: Place{File: leaf.file, Line: leaf.line},
			In: leaf.function, Change: in.change}, explained
	}
	r := Reason{From: Unknown, At: Place{File: leaf.file, Line: leaf.line}, In: leaf.function}
	name := x.file(leaf)
	switch {
	case name == "" && x.owner.path(leaf) != "main" && !x.c.asked[x.owner.path(leaf)]:
		return r, skipped
	case name == "":
		return r, noSource
	}
	r.At.File = name
	f := x.c.files[name].source()
	if isStale(f, leaf) {
		return r, stale
	}
	found := choose(x.candidates(f, s, name), s.mean())
	switch {
	case len(found) == 0 && x.c.silent[x.c.files[name].pkg.PkgPath]:
		return r, notBuilt
	case len(found) == 0:
		return r, nothing
	}
	best, found := together(found)
	r.Kind, r.What, r.At = best.kind, best.what(f), best.at
	for _, c := range best.with {
		r.What += ", " + c.what(f)
	}
	r.Why, r.From = best.why(f)
	r.Change = best.change(f)
	if s := sinkOf(best.remark); s.returned() && r.Change != "" && (best.kind == New || best.kind == Variable) {
		r.Change += x.inlineable(f, best.at.Line)
	}
	if best.remark != nil {
		r.Flow = best.remark.steps()
	}
	for _, other := range found[:min(len(found), maxAlso)] {
		r.Also = append(r.Also, other.what(f))
	}
	return r, explained
}

// maxAlso is how many other things of a line are named.
const maxAlso = 3

// together takes the first of the candidates, with those that are allocated whenever it is: the arguments of one call
// that become interfaces.
func together(all []candidate) (best candidate, others []candidate) {
	best = all[0]
	for _, c := range all[1:] {
		if best.kind == Box && c.kind == Box && best.alloc != nil && c.alloc != nil && best.alloc.takes != nil &&
			best.alloc.takes == c.alloc.takes {
			best.with = append(best.with, c)
		} else {
			others = append(others, c)
		}
	}
	return best, others
}

// isStale reports whether source cannot be what the profile is of.
func isStale(f *sourceFile, leaf frame) bool {
	if f.function(leaf.line) == nil {
		return f.line(f.syntax.FileEnd) < leaf.line || !strings.Contains(leaf.function, ".init") &&
			!strings.Contains(leaf.function, "glob.")
	}
	return leaf.start > 0 && !f.begins(leaf.start) && !strings.Contains(leaf.function, ".init")
}

// A candidate is something on a line that may be what was allocated: what the compiler says of it, what the syntax is,
// or both.
type candidate struct {
	kind   Kind
	at     Place
	remark *remark     // nil where the compiler says nothing
	alloc  *allocation // nil where the syntax has nothing at that place
	with   []candidate // what is allocated whenever it is
}

// candidates are all that a line has.
func (x *index) candidates(f *sourceFile, s *site, name string) (out []candidate) {
	line := s.stack[0].line
	by := make(map[Place]*allocation)
	for _, a := range f.sites {
		if _, ok := by[a.at]; !ok || a.kind == New {
			by[a.at] = a
		}
	}
	seen := make(map[Place]bool)
	for _, r := range x.escaping(s, name) {
		at := r.At[0]
		if seen[at] {
			continue
		}
		seen[at] = true
		a := f.match(r, at)
		switch {
		case a != nil && a.zero:
		case a != nil:
			out = append(out, candidate{kind: a.kind, at: at, remark: r, alloc: a})
		default:
			out = append(out, candidate{kind: kindOf(r.subject()), at: at, remark: r})
		}
	}
	var near, moved []candidate
	for _, a := range f.sites {
		if a.kind.needsRemark() && !x.isLost(f) || a.zero || seen[a.at] {
			continue
		}
		switch {
		case a.kind == Moved:
			if a.at.Line == line {
				moved = append(moved, candidate{kind: a.kind, at: a.at, alloc: a})
			}
		case a.at.Line == line:
			out = append(out, candidate{kind: a.kind, at: a.at, alloc: a})
		case a.from <= line && line <= a.to && a.kind != Wait && a.kind != Go && !a.kind.needsRemark():
			near = append(near, candidate{kind: a.kind, at: a.at, alloc: a})
		}
	}
	for _, more := range [][]candidate{near, moved} {
		if len(out) == 0 {
			out = more
		}
	}
	if len(out) == 0 {
		out = x.parameters(f, line)
	}
	return out
}

// isLost reports whether the compiler has spoken of a file, and it was overwritten: it names what it writes after the
// file's last element, so that server.go of another package, of which something generic is compiled with this one,
// takes its place (cmd/compile/internal/logopt of Go 1.25 to 1.27).
func (x *index) isLost(f *sourceFile) bool {
	return !x.told[f.path] && !x.c.silent[x.c.files[f.path].pkg.PkgPath]
}

// parameters are those of functions that are inlined on a line: what is made for them, when they are moved to the heap,
// counts for the line of the call.
func (x *index) parameters(f *sourceFile, line int) (out []candidate) {
	for _, r := range x.outer[Place{File: f.path, Line: line}] {
		if r.subject() == "" || kindOf(r.subject()) != Variable {
			continue
		}
		out = append(out, candidate{kind: Variable, at: r.At[0], remark: r})
		if in := x.c.files[r.At[0].File]; in != nil {
			out[len(out)-1].alloc = in.source().match(r, r.At[0])
		}
	}
	return out
}

// match is the syntax at a place where the compiler says that something escapes: the one whose kind its words fit.
func (f *sourceFile) match(r *remark, at Place) *allocation {
	var some []*allocation
	for _, a := range f.sites {
		if a.at.Line == at.Line && a.at.Column == at.Column {
			some = append(some, a)
		}
	}
	if len(some) < 2 {
		if len(some) == 1 {
			return some[0]
		}
		return nil
	}
	want := kindOf(r.subject())
	for _, a := range some {
		if a.kind == want || a.kind == Box && want == Variable {
			return a
		}
	}
	return some[0]
}

// escaping are the remarks that something escapes on the line of a site. Where the function was inlined, the compiler
// speaks of each place into which it was, and the one whose calls are those of the stack is meant.
func (x *index) escaping(s *site, name string) (out []*remark) {
	best := 0
	for _, r := range x.remarks[Place{File: name, Line: s.stack[0].line}] {
		if r.subject() == "" {
			continue
		}
		n := x.along(r, s)
		switch {
		case n > best:
			best, out = n, []*remark{r}
		case n == best && n > 0:
			out = append(out, r)
		}
	}
	return out
}

// along is how many calls of a remark are those of a stack; 0 if one of them is not.
func (x *index) along(r *remark, s *site) int {
	if len(r.At) > len(s.stack) {
		return 0
	}
	for i, at := range r.At[1:] {
		f := s.stack[i+1]
		if f.line != at.Line || path.Base(strings.ReplaceAll(f.file, `\`, "/")) != filepath.Base(at.File) {
			return 0
		}
	}
	return len(r.At)
}

// kindOf is what the compiler's words for an expression stand for.
func kindOf(subject string) Kind {
	for _, k := range []struct {
		prefix string
		kind   Kind
	}{
		{"... argument", Variadic}, {"func literal", Closure}, {"make(map[", MakeMap}, {"make(chan", MakeChan},
		{"make(", Make}, {"new(", New}, {"&", New}, {"append(", Append}, {"([]", ToBytes}, {"string(", ToString},
		{"[]", SliceLit}, {"map[", MapLit},
	} {
		if strings.HasPrefix(subject, k.prefix) {
			return k.kind
		}
	}
	for _, r := range subject {
		if !(r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r > 127) {
			return Box
		}
	}
	return Variable
}

// choose drops what cannot be meant by its size, and puts first what is most certain.
func choose(all []candidate, mean float64) []candidate {
	rank := func(c candidate) int {
		n := 0
		if c.alloc != nil && c.alloc.size > 0 {
			if !fits(mean, c.alloc.size, c.alloc.pointers) {
				return -1
			}
			n += 4
		}
		if c.alloc != nil && c.alloc.group > 0 {
			if fitsMap(mean, c.alloc.group, c.alloc.pointers) {
				n += 4
			} else {
				n--
			}
		}
		if c.remark != nil {
			n += 2
		}
		if c.kind != Wait && c.kind != Go && c.kind != Defer {
			n++
		}
		return n
	}
	kept := slices.DeleteFunc(slices.Clone(all), func(c candidate) bool { return rank(c) < 0 })
	if len(kept) == 0 {
		kept = all // the sizes are a mixture, or not those of this machine
	}
	// That a goroutine may have waited there says less than what the compiler says.
	if slices.ContainsFunc(kept, func(c candidate) bool { return c.remark != nil }) {
		kept = slices.DeleteFunc(kept, func(c candidate) bool { return c.remark == nil && (c.kind == Wait || c.kind == Go) })
	}
	slices.SortStableFunc(kept, func(a, b candidate) int { return cmp.Compare(rank(b), rank(a)) })
	return kept
}
