package checks

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/syntax"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var queryInLoop = check("queryinloop", findQueryInLoop, `report a query of a database for each element of a collection

A hundred rows that are asked for one by one are a hundred statements to parse, plan and wait for; one statement with
WHERE id IN (…), a join, or an INSERT of many rows asks once. With SQLite in the process it is the CPU of that, with a
server each is a round trip.

It counts only with heat. Reported are queries of database/sql, sqlx, pgx and gorm in a range over a slice or a map,
there or in a function of the package that surely makes one, if the element is in it. Not reported: statements that
change rows, because a transaction may want them one by one; loops that leave after it; and what runs once.`)

func findQueryInLoop(u *unit) {
	known := u.readers()
	for cur, call := range each[*ast.CallExpr](u) {
		l, again := loop(cur)
		if !again || u.runsOnce(cur) || u.coldIn(cur, l) || startsLater(cur) {
			continue
		}
		r, ok := l.Node().(*ast.RangeStmt)
		if !ok || !u.isCollection(r.X) || !u.ofElement(call, r) {
			continue
		}
		if fn := u.callee(call); u.readsRows(call) || fn != nil && known[fn.Origin()] {
			u.report(call, "a query for each element: ask for all of them at once, and look the answers up")
		}
	}
}

// readers are the functions of the package that surely make a query when they are called.
func (u *unit) readers() map[*types.Func]bool {
	known := make(map[*types.Func]bool)
	for cur, d := range each[*ast.FuncDecl](u) {
		fn, ok := u.TypesInfo.Defs[d.Name].(*types.Func)
		if !ok || d.Body == nil || u.writesRows(cur.Node()) {
			continue
		}
		for _, s := range d.Body.List {
			for _, call := range direct(s) {
				known[fn] = known[fn] || u.readsRows(call)
			}
			if i, ok := s.(*ast.IfStmt); ok && syntax.Leaves(i) && !u.asksError(i.Cond) {
				break
			}
		}
	}
	return known
}

// readsRows reports whether a call asks a database for rows.
func (u *unit) readsRows(call *ast.CallExpr) bool {
	fn := u.callee(call)
	if fn == nil || fn.Pkg() == nil || fn.Signature().Recv() == nil || u.writesRows(call) {
		return false
	}
	var names []string
	switch path := fn.Pkg().Path(); {
	case path == "database/sql", strings.HasPrefix(path, "github.com/jackc/pgx"):
		names = []string{"Query", "QueryContext", "QueryRow", "QueryRowContext"}
	case strings.HasPrefix(path, "github.com/jmoiron/sqlx"):
		names = []string{"Get", "GetContext", "Select", "SelectContext", "Queryx", "QueryxContext", "QueryRowx",
			"QueryRowxContext"}
	case path == "gorm.io/gorm", path == "github.com/jinzhu/gorm":
		names = []string{"Find", "First", "Take", "Last", "Count", "Scan", "Pluck"}
	}
	return slices.Contains(names, fn.Name())
}

// writesRows reports whether a node has the text of a statement that changes rows: some return what they changed.
func (u *unit) writesRows(n ast.Node) (some bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok {
			text := strings.ToUpper(strings.TrimLeft(lit.Value, "`\" \t\n"))
			some = some || slices.ContainsFunc([]string{"INSERT", "UPDATE", "DELETE"}, func(word string) bool {
				return strings.HasPrefix(text, word)
			})
		}
		return !some
	})
	return some
}

// isCollection reports whether a range is over a slice or a map, and not over rows or a channel.
func (u *unit) isCollection(e ast.Expr) bool {
	switch u.under(e).(type) {
	case *types.Slice, *types.Map:
		return true
	}
	return false
}

// ofElement reports whether a call gets something of the loop's element, or of what the loop made of it: another query
// each time.
func (u *unit) ofElement(call *ast.CallExpr, r *ast.RangeStmt) (some bool) {
	for _, arg := range call.Args {
		ast.Inspect(arg, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				v, isVar := u.TypesInfo.Uses[id].(*types.Var)
				some = some || isVar && within(r, v.Pos())
			}
			return !some
		})
	}
	return some
}

// startsLater reports whether a call is that of a go or defer statement.
func startsLater(cur inspector.Cursor) bool {
	kind := cur.ParentEdgeKind()
	return kind == edge.DeferStmt_Call || kind == edge.GoStmt_Call
}
