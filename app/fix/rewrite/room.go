package rewrite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// room gives a channel without a buffer room for one value of each goroutine that sends on it, where their number is
// known when it is made.
func room(u *Unit) (out changes) {
	for cur, call := range each[*ast.CallExpr](u) {
		if u.Builtin(call) != "make" || len(call.Args) != 1 {
			continue
		}
		if _, ok := u.Info.TypeOf(call).Underlying().(*types.Chan); !ok {
			continue
		}
		v := u.Assigned(cur)
		f, ok := function(cur)
		if v == nil || !ok || v.Pos() < f.Node().Pos() {
			continue
		}
		s := senders{Unit: u, f: f, v: v, made: cur}
		why := s.count()
		if len(s.sends) == 0 {
			continue // it is no channel for results
		}
		n := strings.Join(s.counts, "+")
		c := u.change(call, "make the channel with room for "+n+": one value of each sender")
		if why != "" {
			c = u.refuse(call, why)
		} else {
			c.insert(call.Args[0].End(), ", "+n)
		}
		for _, send := range s.sends {
			c.cures(send)
		}
		out.add(c)
	}
	return out
}

// senders are the goroutines that send on a channel.
type senders struct {
	*Unit
	f, made inspector.Cursor
	v       *types.Var
	sends   []ast.Node
	counts  []string // expressions
	seen    map[ast.Node]bool
}

// count finds how many values are sent; if that is not known, why.
func (s *senders) count() (why string) {
	s.seen = make(map[ast.Node]bool)
	for _, use := range s.Uses(s.f, s.v) {
		switch p := use.Parent().Node().(type) {
		case *ast.SendStmt:
			s.sends = append(s.sends, p)
			if use.ParentEdgeKind() != edge.SendStmt_Chan {
				why = "the channel is sent to others"
			} else if w := s.sender(use); w != "" {
				why = w
			}
		case *ast.UnaryExpr:
			if p.Op != token.ARROW {
				why = "its address is taken"
			}
		case *ast.RangeStmt:
		case *ast.CallExpr:
			if s.Builtin(p) != "close" {
				why = "the channel is given to another function"
			}
		default:
			why = "the channel is kept or given away"
		}
	}
	return why
}

// sender counts the values that a send puts on the channel.
func (s *senders) sender(use inspector.Cursor) (why string) {
	lit, ok := function(use)
	if !ok || lit == s.f {
		return "the function sends itself, and relies on the receiver's turn"
	}
	if _, again := loop(use); again {
		return "a goroutine sends in a loop"
	}
	if lit.ParentEdgeKind() != edge.CallExpr_Fun {
		return "nobody knows how often its sender runs"
	}
	start := lit.Parent().Parent()
	if _, is := start.Node().(*ast.GoStmt); !is {
		return "its sender is not started with go"
	}
	if owner, ok := function(start); !ok || owner != s.f {
		return "its sender is started by another function"
	}
	if !s.lastOfItsWay(use, lit) {
		return "a goroutine may send twice"
	}
	if s.seen[lit.Node()] {
		return ""
	}
	s.seen[lit.Node()] = true
	n, why := s.turns(start)
	if why == "" {
		s.counts = append(s.counts, n)
	}
	return why
}

// lastOfItsWay reports whether nothing is sent behind a send: it ends its goroutine, or a return follows.
func (s *senders) lastOfItsWay(use, lit inspector.Cursor) bool {
	at, ok := statement(use)
	for ok && at != lit {
		if next, more := at.NextSibling(); more && at.ParentEdgeKind() == next.ParentEdgeKind() {
			_, ret := next.Node().(*ast.ReturnStmt)
			return ret || !s.sendsIn(next) && s.restIsQuiet(next)
		}
		if at.Parent().Parent() == lit {
			return true
		}
		at, ok = statement(at.Parent())
	}
	return true
}

// restIsQuiet reports whether no statement behind one sends.
func (s *senders) restIsQuiet(at inspector.Cursor) bool {
	for next, ok := at.NextSibling(); ok; next, ok = next.NextSibling() {
		if s.sendsIn(next) {
			return false
		}
	}
	return true
}

func (s *senders) sendsIn(at inspector.Cursor) bool {
	return !s.All(at, s.v, func(use inspector.Cursor) bool { return use.ParentEdgeKind() != edge.SendStmt_Chan })
}

// turns is how often a go statement runs after the channel was made, as an expression that is known there.
func (s *senders) turns(start inspector.Cursor) (n, why string) {
	l, again := loop(start)
	if !again || l.Contains(s.made) {
		return "1", ""
	}
	if _, twice := loop(l); twice {
		if outer, _ := loop(l); !outer.Contains(s.made) {
			return "", "its senders are started in a loop in a loop"
		}
	}
	r, ok := l.Node().(*ast.RangeStmt)
	if !ok {
		return "", "how many senders the loop starts is not known before"
	}
	if v := s.Info.Types[r.X].Value; v != nil && v.Kind() == constant.Int {
		return s.text(r.X), ""
	}
	if !isPath(r.X) {
		return "", "how many senders the loop starts is not known before"
	}
	obj := s.Root(r.X)
	switch {
	case obj == nil || obj.Pkg() != s.Pkg:
		return "", "what the loop goes over belongs to another package"
	case obj.Parent() == s.Pkg.Scope():
		if s.changedInPackage(obj) {
			return "", "what the loop goes over may change before it"
		}
	case obj.Pos() > s.made.Node().Pos() || s.Changes(s.f, obj) && !s.onlyDefined(obj):
		return "", "what the loop goes over may change before it"
	}
	switch t := s.Info.TypeOf(r.X).Underlying().(type) {
	case *types.Slice, *types.Array, *types.Map:
		return "len(" + s.text(r.X) + ")", ""
	case *types.Basic:
		if t.Info()&types.IsInteger != 0 {
			return s.text(r.X), ""
		}
	}
	return "", "how many senders the loop starts is not known before"
}

// onlyDefined reports whether all that changes a variable stands above the channel.
func (s *senders) onlyDefined(obj types.Object) bool {
	return s.All(s.f, obj, func(use inspector.Cursor) bool {
		return use.Node().Pos() <= s.made.Node().Pos() || use.ParentEdgeKind() != edge.AssignStmt_Lhs &&
			use.ParentEdgeKind() != edge.IncDecStmt_X
	})
}
