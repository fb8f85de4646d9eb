package checks

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/gocasebook/casebook/app/syntax"
	"golang.org/x/tools/go/ast/edge"
)

var lockOverWork = check("lockoverwork", findLockOverWork, `report calls that compute for long while a mutex is held for which others wait

Compressing, hashing, encoding, sorting and copying need no lock when they work on what the function has, or can take
out under the lock. Held over them, one core does the work of all: who wants the mutex waits for a hash of a megabyte,
and not for the assignment that it guards.

It counts only with heat, by the waiting for that lock, from the Lock, at which others wait, to the Unlock, which
mutex profiles blame, and where the call is a good part of the CPU between the two. A function of the package counts
as what it surely does, and a loop over all of a map or a slice beside the mutex, too. Not reported: RLock, under
which others go on; what clears up after an error, and what runs once.`)

// A worker is a set of functions or methods that compute for long with much data.
type worker struct {
	path, typ string // typ is "" for functions
	names     []string
	does      string
}

var workers = []worker{
	{"encoding/json", "", []string{"Marshal", "MarshalIndent", "Unmarshal"}, "encodes or decodes JSON"},
	{"encoding/json", "Encoder", []string{"Encode"}, "encodes JSON"},
	{"encoding/json", "Decoder", []string{"Decode"}, "decodes JSON"},
	{"encoding/xml", "", []string{"Marshal", "MarshalIndent", "Unmarshal"}, "encodes or decodes XML"},
	{"encoding/xml", "Encoder", []string{"Encode"}, "encodes XML"},
	{"encoding/gob", "Encoder", []string{"Encode"}, "encodes gob"},
	{"encoding/gob", "Decoder", []string{"Decode"}, "decodes gob"},
	{"google.golang.org/protobuf/proto", "", []string{"Marshal", "Unmarshal", "Clone"},
		"encodes, decodes or copies a message"},
	{"compress/gzip", "Writer", []string{"Write", "Close", "Flush"}, "compresses"},
	{"compress/flate", "Writer", []string{"Write", "Close", "Flush"}, "compresses"},
	{"compress/zlib", "Writer", []string{"Write", "Close", "Flush"}, "compresses"},
	{"crypto/md5", "", []string{"Sum"}, "hashes"},
	{"crypto/sha1", "", []string{"Sum"}, "hashes"},
	{"crypto/sha256", "", []string{"Sum256", "Sum224"}, "hashes"},
	{"crypto/sha512", "", []string{"Sum512", "Sum384"}, "hashes"},
	{"sort", "", []string{"Slice", "SliceStable", "Sort", "Stable", "Strings", "Ints"}, "sorts"},
	{"slices", "", []string{"Sort", "SortFunc", "SortStableFunc", "Sorted", "SortedFunc"}, "sorts"},
	{"io", "", []string{"ReadAll", "Copy", "CopyN"}, "reads all of something"},
	{"text/template", "Template", []string{"Execute", "ExecuteTemplate"}, "executes a template"},
	{"html/template", "Template", []string{"Execute", "ExecuteTemplate"}, "executes a template"},
}

func findLockOverWork(u *unit) {
	w := &lockWalk{unit: u, works: u.workSummaries()}
	for cur, d := range each[*ast.FuncDecl](u) {
		if d.Body != nil && !u.runsOnce(cur.ChildAt(edge.FuncDecl_Body, -1)) && !isStop(d.Name.Name) {
			w.walk(d.Body)
		}
	}
}

// works says what a call computes, by itself or by a function of the package that surely does; "" for nothing long.
func (u *unit) computes(call *ast.CallExpr, known map[*types.Func]reason) (reason, bool) {
	fn := u.callee(call)
	if fn == nil {
		return reason{}, false
	}
	for _, k := range workers {
		if k.typ == "" && isFunc(fn, k.path, k.names...) || k.typ != "" && isMethod(fn, k.path, k.typ, k.names...) {
			return reason{does: k.does}, true
		}
	}
	if fn.Name() == "Write" || fn.Name() == "Sum" {
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && isNamed(u.TypesInfo.TypeOf(sel.X), "hash", "Hash") {
			return reason{does: "hashes"}, true
		}
	}
	why, ok := known[fn.Origin()]
	return reason{does: why.does, via: fn.Name()}, ok
}

// workSummaries finds which functions of the package surely compute for long when they are called.
func (u *unit) workSummaries() map[*types.Func]reason { return u.surely(u.alwaysWorks) }

func (u *unit) alwaysWorks(list []ast.Stmt, known map[*types.Func]reason) (reason, bool) {
	for _, s := range list {
		if why, ok := u.worksIn(s, known); ok {
			return why, true
		}
		if i, ok := s.(*ast.IfStmt); ok && syntax.Leaves(i) && !u.asksError(i.Cond) {
			break
		}
	}
	return reason{}, false
}

func (u *unit) worksIn(s ast.Stmt, known map[*types.Func]reason) (reason, bool) {
	for _, call := range direct(s) {
		if why, ok := u.computes(call, known); ok {
			return why, true
		}
	}
	return reason{}, false
}

// walkOver complains, in a statement under a lock, of a range over all of a map or a slice that the lock guards.
func (w *lockWalk) walkOver(s *ast.RangeStmt, h syntax.Held) {
	if w.works == nil || len(h) == 0 {
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
