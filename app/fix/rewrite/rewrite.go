// Package rewrite makes changes of speed in the source: each for a form of code that people write, and only where the
// types and the names show that the program does the same, but for what its price says.
//
// The problem: a finding names the line and the remedy, and somebody still has to write it. The approach: a Rewriter is
// one form with its cure, which looks at the syntax and the types of a whole package, as an analyzer does. It answers
// with edits, or says why it leaves the place alone: a person who sees the reason knows what to look at.
//
// The limits: what goes through an interface or another package is not followed. A rewriter refuses then.
package rewrite

import (
	"go/ast"
	"go/token"
	"slices"
)

// A Rewriter is one form of code with its cure.
type Rewriter struct {
	Name   string   // "timer"
	Doc    string   // what it changes, as an imperative
	Price  string   // what the change costs, or does differently; "" for nothing
	Kinds  []string // of findings that it is a cure of
	Checks []string // of casebook lint, likewise
	// Anywhere is true where the line to change is not the one that pays: a setting.
	Anywhere bool
	// Calls are functions of a finding's places that make it look in the whole program.
	Calls []string

	find func(*Unit) changes
}

// A Change is an edit of a package, or why there is none.
type Change struct {
	Rewriter string  // whose it is
	Text     string  // what it does: "keep up to 1,000 compiled expressions"
	Where    []Lines // that it cures, the first is the place that it is about
	Edits    []Edit
	Imports  []Import // that must be there
	Refused  string   // why it is left alone; then there are no edits

	unit *Unit
}

// Lines are some of a file.
type Lines struct {
	File     string // absolute
	From, To int
}

// Has reports whether a line is among them.
func (l Lines) Has(file string, line int) bool {
	return l.File == file && l.From <= line && line <= l.To
}

// An Edit replaces bytes of a file.
type Edit struct {
	File     string
	From, To int // offsets
	New      string
}

// An Import is of a file.
type Import struct{ File, Path string }

// All lists the rewriters, those that are sure to change nothing but speed first.
func All() []Rewriter {
	return []Rewriter{
		{Name: "hoist", Doc: "compile a constant pattern once, in a package variable",
			Kinds: []string{"regexp-compile"}, Checks: []string{"regexpinfunc", "SA6000"}, find: hoistMatch},
		{Name: "builder", Doc: "write the pieces of a string to a strings.Builder",
			Kinds: []string{"alloc-string-concat", "cpu-quadratic"}, Checks: []string{"concatinloop", "stringsbuilder"},
			find: builder},
		{Name: "sprintf", Doc: "put a string together with strconv and + where Sprintf has only plain values",
			Kinds:  []string{"alloc-fmt", "alloc-boxing", "alloc-site"},
			Checks: []string{"sprintfkey", "perfsprint", "fmtcall"}, find: sprintf},
		{Name: "presize", Doc: "give a slice the room that a loop is known to need",
			Kinds: []string{"alloc-grow", "alloc-site"}, Checks: []string{"prealloc"}, find: presize},
		{Name: "timer", Doc: "use one timer for all turns of a loop, in place of time.After",
			Kinds: []string{"alloc-timer", "timer-leak"}, Checks: []string{"afterinloop"}, find: timer},
		{Name: "close", Doc: "close what a call opened on every way out",
			Kinds: []string{"connection-leak", "fd-limit", "goroutine-leak", "goroutine-surge", "net-no-keepalive",
				"net-dns-tls"}, find: closeAlways},
		{Name: "drain", Doc: "read the rest of a response before it is closed",
			Price: "up to 256 kB of each response are read",
			Kinds: []string{"net-no-keepalive", "net-dns-tls"}, Checks: []string{"bodyunread"}, find: drain},
		{Name: "room", Doc: "give a channel room for all that is sent, so that no sender waits for ever",
			Price: "a sender no longer waits for its receiver",
			Kinds: []string{"goroutine-leak", "goroutine-surge", "goroutine-stuck"}, Checks: []string{"leakysender"},
			find: room},
		{Name: "unlock", Doc: "give a lock back on the way out that forgot it",
			Kinds: []string{"lock-never-released", "goroutine-deadlock", "goroutine-stuck"}, find: unlock},
		{Name: "broadcast", Doc: "wake all who wait on a sync.Cond, and not one of them",
			Price: "each who wakes looks at its condition again", Kinds: []string{"goroutine-leak", "goroutine-stuck"},
			find: broadcast},
		{Name: "idlelock", Doc: "take out an RWMutex that nobody locks for writing",
			Kinds: []string{"lock-rwmutex", "lock-contention"}, find: idleLock},
		{Name: "snapshot", Doc: "load a value that is replaced as a whole from an atomic.Pointer, in place of an RWMutex",
			Price: "a reader may go on with the last value while the next one is stored",
			Kinds: []string{"lock-rwmutex", "lock-contention"}, find: snapshot},
		{Name: "lookup", Doc: "look into a set, where a loop looks through the same list in each turn",
			Price: "a map of the list is made before the loop, which costs more than it saves for a few elements",
			Kinds: []string{"cpu-linear-search", "cpu-quadratic"}, find: lookup},
		{Name: "deferloop", Doc: "make the turn of a loop a function, so that what it defers runs at its end",
			Price: "what was closed at the end, in reverse order, is closed turn by turn",
			Kinds: []string{"fd-limit", "connection-leak"}, Checks: []string{"deferinloop"}, find: deferLoop},
		{Name: "ctxloop", Doc: "begin each turn of a loop with the context from before it",
			Price: "values of an earlier turn are not in a later one's context",
			Kinds: []string{"mem-leak"}, Calls: []string{"context.(*valueCtx).Value", "context.value"}, find: contextLoop},
		{Name: "logguard", Doc: "format a debug line only when the level is on",
			Kinds: []string{"alloc-fmt", "cpu-logging", "alloc-boxing"}, find: logGuard},
		{Name: "buffer", Doc: "write through a bufio.Writer that is flushed at the end",
			Price: "the reader sees pieces of 4 kB, the last one at the end of the call", Kinds: []string{"io-small"},
			find: buffer},
		{Name: "pool", Doc: "keep compressors in a sync.Pool and reset them",
			Price: "a pooled one refers to what it last wrote to, until it is used again or collected",
			Kinds: []string{"alloc-buffer-per-call", "alloc-poolable", "alloc-oversized", "alloc-site",
				"cpu-compression"}, Checks: []string{"coderpercall"}, find: pool},
		{Name: "bufferpool", Doc: "keep the bytes.Buffers of a function in a sync.Pool and reset them",
			Price:  "buffers of up to 64 kB stay in memory until the collector's second cycle",
			Kinds:  []string{"alloc-buffer-per-call", "alloc-poolable", "alloc-grow", "alloc-site"},
			Checks: []string{"buffergrows"}, find: bufferPool},
		{Name: "transport", Doc: "share one http.Transport between calls",
			Price: "connections stay open between calls", Kinds: []string{"net-no-keepalive", "net-dns-tls"},
			Checks: []string{"clientpercall"}, find: transport},
		{Name: "memo", Doc: "keep what a pattern compiles to, or a zone loads as, for up to 1,000 of them",
			Price:  "up to 1,000 expressions or zones stay in memory; a zone that changes on the disk is read at the next start",
			Kinds:  []string{"regexp-compile", "alloc-loop-invariant", "io-reread", "cpu-regexp"},
			Checks: []string{"regexpinfunc", "buildpercall"}, find: memo},
		{Name: "jitter", Doc: "shorten the lifetimes of a cache's entries by a random part of up to a tenth",
			Price: "entries are loaded up to a tenth more often", Kinds: []string{"expiry-stampede"}, find: jitter},
		{Name: "hedge", Doc: "send a second request when the first is late, with remedy/hedge",
			Price: "up to five in a hundred requests are sent twice",
			Kinds: []string{"slow-dependency"}, find: hedged},
		{Name: "remedycache", Doc: "keep the entries of gcache, golang-lru or go-cache in remedy/cache",
			Price: "others leave a full cache than before, lifetimes are up to a tenth shorter, and large entries are not kept",
			Kinds: []string{"gc-pointer-heap", "gc-death-spiral"}, find: remedyCache},
		{Name: "gccall", Doc: "leave collecting to the runtime: take out runtime.GC()",
			Price: "the heap may be larger between collections; GOMEMLIMIT bounds it", Kinds: []string{"gc-forced"},
			find: gcCall},
		{Name: "procs", Doc: "leave GOMAXPROCS to the runtime, which reads the CPU quota since Go 1.25",
			Price: "goroutines run on all CPUs", Kinds: []string{"gomaxprocs-mismatch"}, Anywhere: true, find: procs},
		{Name: "context", Doc: "make a request with the context that the function has",
			Price: "the work ends when the caller goes", Checks: []string{"requestnocontext"}, find: withContext},
	}
}

// Find looks for the form in a package.
func (r *Rewriter) Find(u *Unit) []Change {
	out := r.find(u)
	for i := range out {
		out[i].Rewriter = r.Name
	}
	return out
}

// Cures reports whether a rewriter is for a kind of finding.
func (r *Rewriter) Cures(kind string) bool { return slices.Contains(r.Kinds, kind) }

// Answers reports whether a rewriter is for a check of casebook lint.
func (r *Rewriter) Answers(check string) bool { return slices.Contains(r.Checks, check) }

// change begins one, about a node.
func (u *Unit) change(at ast.Node, text string) *Change {
	return &Change{Text: text, Where: []Lines{u.lines(at)}, unit: u}
}

// refuse is a change that is not made.
func (u *Unit) refuse(at ast.Node, reason string) *Change {
	return &Change{Refused: reason, Where: []Lines{u.lines(at)}, unit: u}
}

// changes are what a rewriter finds.
type changes []Change

// add adds changes; nil is none.
func (cs *changes) add(found ...*Change) {
	for _, c := range found {
		if c != nil {
			*cs = append(*cs, *c)
		}
	}
}

// cures adds lines that the change is for, too.
func (c *Change) cures(n ast.Node) { c.Where = append(c.Where, c.unit.lines(n)) }

// replace puts text in place of what is between two positions.
func (c *Change) replace(from, to token.Pos, text string) {
	f := c.unit.Fset.File(from)
	c.Edits = append(c.Edits, Edit{f.Name(), f.Offset(from), f.Offset(to), text})
}

func (c *Change) insert(at token.Pos, text string) { c.replace(at, at, text) }

// before puts statements on lines of their own above one.
func (c *Change) before(s ast.Node, text string) {
	c.insert(s.Pos(), text+"\n"+c.unit.indent(s))
}

// after puts statements on lines of their own below one.
func (c *Change) after(s ast.Node, text string) { c.insert(s.End(), "\n"+c.unit.indent(s)+text) }

// remove takes a statement out with its line, when it is alone there, and with a comment that is only about it: one
// that ends on the line above, below an empty line or a brace, or stands behind it.
func (c *Change) remove(s ast.Node) {
	u := c.unit
	f := u.Fset.File(s.Pos())
	src := u.Source[f.Name()]
	from, to := f.Offset(s.Pos()), f.Offset(s.End())
	for from > 0 && (src[from-1] == ' ' || src[from-1] == '\t') {
		from--
	}
	line := u.line(s.Pos())
	for _, g := range u.file(s.Pos()).Comments {
		switch {
		case u.line(g.Pos()) == u.line(s.End()) && g.Pos() > s.End(): // behind it
			to = max(to, f.Offset(g.End()))
		case u.line(g.End()) == line-1 && g.End() < s.Pos() && u.aloneAbove(g):
			from = min(from, f.Offset(g.Pos()))
			for from > 0 && (src[from-1] == ' ' || src[from-1] == '\t') {
				from--
			}
		}
	}
	if to < len(src) && src[to] == '\n' && (from == 0 || src[from-1] == '\n') {
		to++
	}
	c.Edits = append(c.Edits, Edit{f.Name(), from, to, ""})
}

// aloneAbove reports whether a comment has a line of its own.
func (u *Unit) aloneAbove(g *ast.CommentGroup) bool {
	f := u.Fset.File(g.Pos())
	src := u.Source[f.Name()]
	for i := f.Offset(g.Pos()) - 1; i >= 0 && src[i] != '\n'; i-- {
		if src[i] != ' ' && src[i] != '\t' {
			return false
		}
	}
	return true
}

// needs says which packages the file of a node must import.
func (c *Change) needs(at ast.Node, paths ...string) {
	for _, p := range paths {
		c.Imports = append(c.Imports, Import{c.unit.Fset.File(at.Pos()).Name(), p})
	}
}
