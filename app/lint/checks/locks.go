package checks

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gocasebook/casebook/app/syntax"
)

var lockOverIO = check("lockoverio", findLockOverIO, `report calls that wait for a network, a database, a disk, a process or other goroutines while a mutex is held

Everyone who wants the mutex waits as long as the slowest such call takes: a lock of 50 ns becomes one of 50 ms, and a
service of a thousand requests a second does twenty. Take what is needed under the lock, unlock, and do the waiting
outside.

Related is from the Lock, at which others wait, to the Unlock, which mutex profiles blame. A function of the same
package counts as waiting when it surely does: not in a branch or a loop of its own. Sends count on channels that the package makes without a buffer only, receives and
select without default always; but not what takes the last value of a timer.

Not reported: writes to files and connections, which a mutex often keeps whole; sync.Cond; what clears up after an
error; waiting for one's goroutines to end in Close, Stop and the like; what runs once; calls behind interfaces and in
other packages, except the standard library's, gRPC's and go-redis'.`)

func findLockOverIO(u *unit) {
	w := &lockWalk{unit: u, does: blocking, known: u.surely(blocking), rooms: u.rooms()}
	for cur, d := range each[*ast.FuncDecl](u) {
		if d.Body != nil && !u.runsOnce(cur.ChildAt(edge.FuncDecl_Body, -1)) {
			w.stops = isStop(d.Name.Name)
			w.walk(d.Body)
		}
	}
	for cur, f := range each[*ast.FuncLit](u) {
		if isStatement(cur) {
			continue // called where it stands: walked with what is held there
		}
		if d := declaration(cur); d == nil || !u.runsOnce(cur) {
			w.stops = d != nil && isStop(d.Name.Name)
			w.walk(f.Body)
		}
	}
}

// isStatement reports whether a literal is called at once, and nothing is done with the result.
func isStatement(lit inspector.Cursor) bool {
	_, alone := lit.Parent().Parent().Node().(*ast.ExprStmt)
	return alone && lit.ParentEdgeKind() == edge.CallExpr_Fun
}

// isStop reports whether a function's name says that it ends something.
func isStop(name string) bool {
	return slices.Contains([]string{"stop", "close", "end", "cancel", "disconnect", "release"}, firstWord(name))
}

// look complains of what blocks in a statement or an expression without blocks of its own.
func (w *lockWalk) look(n ast.Node, h syntax.Held) {
	if len(h) == 0 {
		return
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			if n.Op == token.ARROW && !w.works && !w.isTimer(n.X) && !w.isDone(n.X) && !w.stops {
				w.complain(n, h, "receives from a channel")
			}
		case *ast.CallExpr:
			if why, ok := w.why(n, w.known, w.does); ok && !(w.stops && why.does == waitsForGoroutines) {
				does := why.does
				if why.via != "" {
					does = fmt.Sprintf("calls %s, which %s,", why.via, why.does)
				}
				w.complain(n, h, does)
			}
		}
		return true
	})
}

// isTimer reports whether a channel is that of a timer: <-t.C after Stop does not wait.
func (w *lockWalk) isTimer(e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	return ok && isNamed(w.TypesInfo.TypeOf(sel.X), "time", "Timer")
}

// isDone reports whether a channel is a context's: who waits for that under a lock wants the others to wait, too.
func (w *lockWalk) isDone(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	fn := w.Callee(call)
	return fn != nil && fn.Name() == "Done" && fn.Pkg() != nil && fn.Pkg().Path() == "context"
}

func (w *lockWalk) send(s *ast.SendStmt, h syntax.Held) {
	w.look(s.Value, h)
	if !w.works && w.rooms[w.Object(s.Chan)] == unbuffered {
		w.complain(s, h, "sends on a channel without a buffer")
	}
}

func (w *lockWalk) complain(at analysis.Range, h syntax.Held, does string) {
	name, lock := h.Outermost().Name, h.Outermost().At
	if name == "" || w.quiet > 0 {
		return
	}
	then := "take what is needed, unlock, then wait"
	_, walks := at.(*ast.RangeStmt)
	switch {
	case walks:
		then = "keep an index of what it looks for, or copy it and unlock before the work"
	case w.works:
		then = "take what is needed, unlock, then do it, or do it before"
	}
	// Without the Lock's line: a baseline must know the message again when lines move.
	w.relate(at, fmt.Sprintf("this %s while %s is held: %s", does, name, then), w.heldFrom(name, lock))
}

// A span is a range of the source: a word of the language, or several statements.
type span struct{ from, to token.Pos }

func (s span) Pos() token.Pos { return s.from }
func (s span) End() token.Pos { return s.to }

var lockOverWork = check("lockoverwork", findLockOverWork, `report calls that compute for long while a mutex is held for which others wait

Compressing, hashing, encoding, sorting and copying need no lock when they work on what the function has, or can take
out under the lock. Held over them, one core does the work of all: who wants the mutex waits for a hash of a megabyte,
and not for the assignment that it guards.

It counts only with heat, by the waiting for that lock, from the Lock, at which others wait, to the Unlock, which
mutex profiles blame, and where the call is a good part of the CPU between the two. A function of the package counts
as what it surely does, and a loop over all of a map or a slice beside the mutex, too. Not reported: RLock, under
which others go on; what clears up after an error, and what runs once.`)

var workers = []callee{
	{"encoding/json", "", "Marshal MarshalIndent Unmarshal", "encodes or decodes JSON"},
	{"encoding/json", "Encoder", "Encode", "encodes JSON"},
	{"encoding/json", "Decoder", "Decode", "decodes JSON"},
	{"encoding/xml", "", "Marshal MarshalIndent Unmarshal", "encodes or decodes XML"},
	{"encoding/xml", "Encoder", "Encode", "encodes XML"},
	{"encoding/gob", "Encoder", "Encode", "encodes gob"},
	{"encoding/gob", "Decoder", "Decode", "decodes gob"},
	{"google.golang.org/protobuf/proto", "", "Marshal Unmarshal Clone",
		"encodes, decodes or copies a message"},
	{"compress/gzip", "Writer", "Write Close Flush", "compresses"},
	{"compress/flate", "Writer", "Write Close Flush", "compresses"},
	{"compress/zlib", "Writer", "Write Close Flush", "compresses"},
	{"crypto/md5", "", "Sum", "hashes"},
	{"crypto/sha1", "", "Sum", "hashes"},
	{"crypto/sha256", "", "Sum256 Sum224", "hashes"},
	{"crypto/sha512", "", "Sum512 Sum384", "hashes"},
	{"sort", "", "Slice SliceStable Sort Stable Strings Ints", "sorts"},
	{"slices", "", "Sort SortFunc SortStableFunc Sorted SortedFunc", "sorts"},
	{"io", "", "ReadAll Copy CopyN", "reads all of something"},
	{"text/template", "Template", "Execute ExecuteTemplate", "executes a template"},
	{"html/template", "Template", "Execute ExecuteTemplate", "executes a template"},
}

func findLockOverWork(u *unit) {
	w := &lockWalk{unit: u, does: u.computes, known: u.surely(u.computes), works: true}
	for cur, d := range each[*ast.FuncDecl](u) {
		if d.Body != nil && !u.runsOnce(cur.ChildAt(edge.FuncDecl_Body, -1)) && !isStop(d.Name.Name) {
			w.walk(d.Body)
		}
	}
}

// computes says what a call computes by itself, "" for nothing long.
func (u *unit) computes(call *ast.CallExpr, fn *types.Func) string {
	if row := rowOf(workers, fn); row != nil {
		return row.says
	}
	if of := receiver(call); of != nil && (fn.Name() == "Write" || fn.Name() == "Sum") &&
		isNamed(u.TypesInfo.TypeOf(of), "hash", "Hash") {
		return "hashes"
	}
	return ""
}

// walkOver complains, in a statement under a lock, of a range over all of a map or a slice that the lock guards.
func (w *lockWalk) walkOver(s *ast.RangeStmt, h syntax.Held) {
	if !w.works || len(h) == 0 {
		return
	}
	all := ast.Unparen(s.X)
	if index, ok := all.(*ast.IndexExpr); ok { // s.rows[shop]
		all = ast.Unparen(index.X)
	}
	sel, ok := all.(*ast.SelectorExpr)
	if !ok {
		return
	}
	switch w.under(s.X).(type) {
	case *types.Map, *types.Slice:
	default:
		return
	}
	owner := types.ExprString(sel.X)
	for name := range h {
		if i := strings.LastIndexByte(name, '.'); i > 0 && name[:i] == owner {
			w.complain(s, h, "walks over all of "+types.ExprString(s.X))
			return
		}
	}
}

// A lockWalk follows the statements of a function with what they hold.
type lockWalk struct {
	*unit
	does  doing
	known map[*types.Func]reason
	works bool // long computing counts, and not waiting
	rooms map[types.Object]room
	quiet int  // above 0, nothing is reported
	stops bool // the function ends something: it may wait for its goroutines
	body  *ast.BlockStmt
}

// walk follows a function's body.
func (w *lockWalk) walk(body *ast.BlockStmt) {
	w.body = body
	walk := syntax.LockWalk{Does: w.locks, See: w.see, Then: w.then, Literals: true,
		Ends: func(call *ast.CallExpr) bool {
			return w.Builtin(call) == "panic" || isFunc(w.Callee(call), "os", "Exit")
		}}
	walk.Walk(body)
}

// locks says what a call does with a mutex. Where work is looked for, readers go on and hold nothing.
func (w *lockWalk) locks(call *ast.CallExpr) (name, does string) {
	name = w.mutexOf(call, "Lock", "RLock", "Unlock", "RUnlock")
	if name == "" || w.works && w.Callee(call).Name() == "RLock" {
		return "", ""
	}
	return name, w.Callee(call).Name()
}

func (w *lockWalk) see(n ast.Node, h syntax.Held) {
	waits := !w.stops && !w.works
	switch n := n.(type) {
	case *ast.ForStmt:
	case *ast.SendStmt:
		w.send(n, h)
	case *ast.RangeStmt:
		w.walkOver(n, h)
		if waits && isChan(w.TypesInfo.TypeOf(n.X)) {
			w.complain(n.X, h, "ranges over a channel")
		}
	case *ast.SelectStmt:
		if waits && !syntax.HasDefault(n) {
			w.complain(span{n.Select, n.Select + token.Pos(len("select"))}, h, "waits in a select")
		}
	default:
		w.look(n, h)
	}
}

// then keeps quiet where something went wrong: that is cleared up, and rare.
func (w *lockWalk) then(s *ast.IfStmt) (behind func()) {
	if !w.asksError(s.Cond) {
		return func() {}
	}
	w.quiet++
	return func() { w.quiet-- }
}

// heldFrom is the section that a Lock begins: it ends behind the last Unlock of the mutex, or with the function when
// that is deferred.
func (w *lockWalk) heldFrom(name string, lock *ast.CallExpr) analysis.RelatedInformation {
	end := token.NoPos
	ast.Inspect(w.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.DeferStmt:
			if w.mutexOf(n.Call, "Unlock", "RUnlock") == name {
				end = w.body.End()
			}
			return false
		case *ast.CallExpr:
			if n.Pos() > lock.Pos() && w.mutexOf(n, "Unlock", "RUnlock") == name {
				end = max(end, n.End())
			}
		}
		return true
	})
	if !end.IsValid() {
		end = w.body.End()
	}
	return analysis.RelatedInformation{Pos: lock.Pos(), End: end, Message: name + " is held here"}
}

var lockHeld = check("lockheld", findLockHeld, `report locks that others wait for

What is done between Lock and Unlock is done by one goroutine at a time. Where others queue for that, shorten it, split
what the lock guards, or give each goroutine its own part.

It counts only with heat: by the waiting that mutex profiles blame on the lines from the Lock to the Unlock, where it is a
good part of all waiting, someone waits noticeably often, and what is done there takes CPU. Reported are locks of which
no other check says what is wrong under them. Not reported: RLock; sections that call nothing, which nobody can shorten;
and what runs once.`)

func findLockHeld(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		name := u.mutexOf(call, "Lock")
		f, inside := function(cur)
		if _, alone := cur.Parent().Node().(*ast.ExprStmt); name == "" || !alone || !inside || u.runsOnce(cur) {
			continue
		}
		w := &lockWalk{unit: u, body: body(f)}
		if held := w.heldFrom(name, call); u.callsWithin(f, call.End(), held.End) {
			u.relate(call,
				"others wait for "+name+", which is held from here: hold it for less, or split what it guards", held)
		}
	}
}

// callsWithin reports whether anything is called between two places of a function but locks, builtins and conversions: a
// section that sets a field or an entry of a map is as short as it gets.
func (u *unit) callsWithin(f inspector.Cursor, from, to token.Pos) bool {
	for cur, call := range below[*ast.CallExpr](f) {
		kind, _ := u.conversion(call)
		if call.Pos() < from || to <= call.Pos() || kind != nil || u.Builtin(call) != "" || startsLater(cur) ||
			isMutex(u.Callee(call), "Lock", "RLock", "Unlock", "RUnlock") {
			continue
		}
		return true
	}
	return false
}
