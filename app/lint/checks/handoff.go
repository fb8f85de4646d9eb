package checks

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"
)

var handoff = check("handoff", findHandoff, `report loops that send values one by one on a channel without a buffer

Each send waits until the receiver takes the value, and each receive until the sender has one: 130 ns of CPU a number,
52 ns with room for 16, 43 ns with room for 256 (docs/evidence/lab.md, "Channels with and without a buffer"). With a
buffer both go on; several values in one send save more.

It counts only with heat. Reported are channels that the package makes without a buffer only. Not reported: channels of
struct{}, error and bool, which are signals; values that have a channel for the answer; a select with default or with
another send; a turn that surely leaves the loop; and what runs once.`)

func findHandoff(u *unit) {
	rooms := u.rooms()
	for cur, s := range each[*ast.SendStmt](u) {
		l, again := loop(cur)
		if rooms[u.named(s.Chan)] != unbuffered || !again || u.isSignal(s.Chan) || u.leavesAfter(cur, l) ||
			u.shortLoop(l) || u.runsOnce(cur) || mayPass(cur) {
			continue
		}
		u.report(s, "each of these waits until the value is taken: give the channel a buffer, or send several at a time")
	}
}

// isSignal reports whether a channel's values say only that something happened, or where to answer.
func (u *unit) isSignal(e ast.Expr) bool {
	c, ok := u.under(e).(*types.Chan)
	if !ok {
		return true
	}
	t := c.Elem()
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	switch t := t.Underlying().(type) {
	case *types.Struct:
		for f := range t.Fields() {
			if isChan(f.Type()) {
				return true
			}
		}
		return t.NumFields() == 0
	case *types.Chan, *types.Signature:
		return true
	case *types.Basic:
		return t.Info()&types.IsBoolean != 0
	}
	return isError(t)
}

// mayPass reports whether a send is a case of a select that another case of can do without it.
func mayPass(cur inspector.Cursor) bool {
	clause, ok := cur.Parent().Node().(*ast.CommClause)
	if !ok || clause.Comm != cur.Node() {
		return false
	}
	for _, c := range cur.Parent().Parent().Node().(*ast.BlockStmt).List {
		other := c.(*ast.CommClause)
		_, sends := other.Comm.(*ast.SendStmt)
		if other.Comm == nil || sends && other != clause {
			return true
		}
	}
	return false
}
