package settle

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/lint/checks"
	"github.com/gocasebook/casebook/app/syntax"
)

// A wait is something that a function does which may take long.
type wait struct {
	at   token.Pos
	what string        // "j.f.Sync"
	does string        // "waits for the disk"
	via  *ast.FuncDecl // the function of this package in which it is; nil: here
	in   token.Pos     // its line there
}

// transfers are what moves bytes to or from something outside, if that is what is behind. A lock is often there to
// keep them whole, which is why package checks leaves them out; here a profile has shown that somebody waits.
var transfers = []struct {
	path, recv string
	names      []string
}{
	{"os", "File", []string{"Read", "ReadAt", "Write", "WriteAt", "WriteString", "Sync"}},
	{"net", "", []string{"Read", "Write"}},
	{"net", "Conn", []string{"Read", "Write"}},
	{"net", "TCPConn", []string{"Read", "Write"}},
	{"crypto/tls", "Conn", []string{"Read", "Write"}},
	{"bufio", "Reader", []string{"Read", "ReadByte", "ReadBytes", "ReadLine", "ReadRune", "ReadSlice", "ReadString"}},
	{"bufio", "Writer", []string{"Flush"}},
	{"bufio", "Scanner", []string{"Scan"}},
	{"io", "", []string{"Copy", "CopyN", "CopyBuffer", "ReadAll", "ReadFull", "WriteString"}},
	{"io", "Reader", []string{"Read"}},
	{"io", "Writer", []string{"Write"}},
	{"net/http", "ResponseWriter", []string{"Write"}},
	{"os", "", []string{"Open", "OpenFile", "Create", "CreateTemp", "Rename", "Remove"}},
	{"encoding/csv", "Writer", []string{"Write", "WriteAll", "Flush"}},
	{"encoding/json", "Encoder", []string{"Encode"}},
	{"encoding/json", "Decoder", []string{"Decode"}},
}

// memory are types of which reads and writes do not leave the process.
var memory = []string{"Buffer", "Builder", "Reader"}

// direct says what a node waits for by itself, "" for nothing. moves counts reads and writes, too.
func (u *unit) direct(n ast.Node, moves bool) (what, does string) {
	switch n := n.(type) {
	case *ast.SendStmt:
		return text(n.Chan) + " <-", "sends on a channel"
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			return "<-" + text(n.X), "receives from a channel"
		}
	case *ast.SelectStmt:
		if !syntax.HasDefault(n) {
			return "select", "waits in a select"
		}
	case *ast.RangeStmt:
		if t := u.typeOf(n.X); t != nil {
			if _, ok := t.Underlying().(*types.Chan); ok {
				return "range " + text(n.X), "receives from a channel"
			}
		}
	case *ast.CallExpr:
		return u.callWaits(n, moves)
	}
	return "", ""
}

func (u *unit) callWaits(call *ast.CallExpr, moves bool) (what, does string) {
	c := u.callee(call)
	if does := checks.Blocks(c.fn); does != "" {
		return text(call.Fun), does
	}
	if c.fn == nil && (c.is("time", "Sleep") || c.is("net/http", "Get", "Post", "Head", "PostForm")) {
		if c.path == "time" {
			return text(call.Fun), "sleeps"
		}
		return text(call.Fun), "waits for an HTTP response"
	}
	if c.recv == "Cond" && c.path == "sync" && c.name == "Wait" {
		return text(call.Fun), "waits for a signal"
	}
	if !moves {
		return "", ""
	}
	for _, t := range transfers {
		if c.path == t.path && c.recv == t.recv && slices.Contains(t.names, c.name) && !u.inMemory(call) &&
			!u.overMemory(call) {
			if strings.HasPrefix(c.name, "Write") ||
				slices.Contains([]string{"Sync", "Flush", "Encode", "Rename"}, c.name) {
				return text(call.Fun), "writes"
			}
			return text(call.Fun), "reads or writes"
		}
	}
	if c.is("fmt", "Fprint", "Fprintf", "Fprintln") && !u.inMemory(call) {
		return text(call.Fun), "writes"
	}
	return "", ""
}

// inMemory reports whether the first argument of a call is a buffer.
func (u *unit) inMemory(call *ast.CallExpr) bool {
	if len(call.Args) == 0 {
		return false
	}
	e := call.Args[0]
	if x, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && x.Op == token.AND {
		e = x.X
	}
	t := u.typeOf(e)
	return t != nil && slices.Contains(memory, typeName(t)) && !strings.Contains(t.String(), "bufio.") &&
		!strings.Contains(t.String(), "io.Reader")
}

// overMemory reports whether a method is of something that was made over a buffer: an encoder, a writer of lines.
func (u *unit) overMemory(call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	makers := []ast.Expr{sel.X}
	if o := u.object(sel.X); o != nil && u.local(o) {
		makers = u.valuesOf(o)
	}
	return len(makers) > 0 && !slices.ContainsFunc(makers, func(e ast.Expr) bool {
		made, ok := ast.Unparen(e).(*ast.CallExpr)
		return !ok || !u.inMemory(made)
	})
}

// depth is how many calls of functions of the same package are followed.
const depth = 3

// waitsIn says what a node waits for, by itself or in functions of this package that it calls.
func (u *unit) waitsIn(n ast.Node, moves bool) (wait, bool) {
	if what, does := u.direct(n, moves); does != "" {
		return wait{at: n.Pos(), what: what, does: does}, true
	}
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return wait{}, false
	}
	for _, d := range u.bodies(call) {
		if w, ok := u.below(d, moves, depth, map[*ast.FuncDecl]bool{}); ok {
			return wait{at: call.Pos(), what: text(call.Fun), does: w.does, via: w.via, in: w.at}, true
		}
	}
	return wait{}, false
}

// below finds the first wait in a function.
func (u *unit) below(d *ast.FuncDecl, moves bool, left int, seen map[*ast.FuncDecl]bool) (found wait, ok bool) {
	if left == 0 || seen[d] {
		return wait{}, false
	}
	seen[d] = true
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil, *ast.FuncLit, *ast.GoStmt:
			return false
		default:
			if ok {
				return false
			}
			if what, does := u.direct(n, moves); does != "" {
				found, ok = wait{at: n.Pos(), what: what, does: does, via: d}, true
				return false
			}
			if call, is := n.(*ast.CallExpr); is {
				for _, inner := range u.bodies(call) {
					if found, ok = u.below(inner, moves, left-1, seen); ok {
						return false
					}
				}
			}
		}
		return true
	})
	return found, ok
}
