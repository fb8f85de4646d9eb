package checks

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gocasebook/casebook/app/syntax"
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

var lookupInLoop = check("lookupinloop", findLookupInLoop, `report functions that ask a database and are called for each element of a collection

The query is in another package, behind an interface or in what makes an answer of a row, so that queryinloop cannot see
it. The profile can: below the call are the driver's functions.

It counts only with heat, by what the databases' packages take below the call. Reported are calls in a range over a slice
or a map that get something of the element, and whose names say that they look something up or make something of it. Not
reported: what changes rows, which a transaction may want one by one; jobs that are run for each element; loops that
leave after the call; what queryinloop has; and what runs once.`)

// lookups are first words of functions that look something up, or make something of what they get.
var lookups = []string{"get", "find", "load", "fetch", "lookup", "query", "list", "count", "has", "exists", "is", "can",
	"resolve", "select", "read", "check", "to", "convert", "map", "build", "make", "new", "render", "format", "fill", "populate",
	"enrich", "attach", "expand", "hydrate", "describe", "decorate", "allowed", "authorize", "must", "with"}

func findLookupInLoop(u *unit) {
	known := u.readers()
	for cur, call := range each[*ast.CallExpr](u) {
		l, again := loop(cur)
		fn := u.callee(call)
		if !again || fn == nil || fn.Pkg() == nil || !strings.Contains(fn.Pkg().Path(), ".") && fn.Pkg() != u.Pkg ||
			u.runsOnce(cur) || u.coldIn(cur, l) || startsLater(cur) || known[fn.Origin()] || u.readsRows(call) {
			continue
		}
		r, ok := l.Node().(*ast.RangeStmt)
		if !ok || !u.isCollection(r.X) || !u.ofElement(call, r) || !looksUp(fn) {
			continue
		}
		u.Report(analysis.Diagnostic{Pos: call.Pos(), End: call.End(), Category: u.Analyzer.Name,
			Message: "below this a database is asked, for each element: ask for all of them at once, and look the answers up",
			Related: []analysis.RelatedInformation{{Pos: call.Pos(), End: call.End(), Message: "is asked here"}}})
	}
}

// looksUp reports whether a function's name says that it looks something up, or makes something of what it gets.
func looksUp(fn *types.Func) bool {
	w := words(fn.Name())
	return len(w) > 0 && slices.Contains(lookups, w[0])
}

var queryPrepare = check("queryprepare", findQueryPrepare, `report statements that the driver prepares again at each call

A query with its text is parsed and planned by the database each time, and by SQLite in this process; a sql.Stmt that is
kept is prepared once for each connection.

It counts only with heat, by what drivers take to prepare below the line. Reported are queries and statements of
database/sql, sqlx and gorm with a text. Not reported: those of a sql.Stmt, of drivers that keep what they prepared by
its text, and what runs once.`)

func findQueryPrepare(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.callee(call)
		if fn == nil || u.runsOnce(cur) {
			continue
		}
		switch {
		case isPrepared(fn, "database/sql", "DB", "Conn", "Tx"), isPrepared(fn, "github.com/jmoiron/sqlx", "DB", "Conn", "Tx"):
			u.report(call, "this statement is prepared again at each call: prepare it once, and keep the sql.Stmt")
		case isPrepared(fn, "gorm.io/gorm", "DB"):
			u.report(call, "this statement is prepared again at each call: gorm keeps them with PrepareStmt in its Config")
		}
	}
}

// isPrepared reports whether a method of one of a package's types runs a statement that it has to prepare.
func isPrepared(fn *types.Func, path string, types ...string) bool {
	return slices.ContainsFunc(types, func(typ string) bool {
		return isMethod(fn, path, typ, "Query", "QueryContext", "QueryRow", "QueryRowContext", "Exec", "ExecContext", "Get",
			"GetContext", "Select", "SelectContext", "Queryx", "QueryRowx", "NamedExec", "NamedQuery", "Find", "First", "Take",
			"Last", "Count", "Scan", "Pluck", "Create", "Save", "Updates", "Update", "Delete")
	})
}

var idleConns = check("idleconns", findIdleConns, `report pools of database/sql that open connections again and again

A sql.DB keeps two connections that nobody uses, unless SetMaxIdleConns says otherwise, and closes the others. With ten
users at once most of them wait for a new one: a handshake with a server, or the file and the schema with SQLite.

It counts only with heat, by what opening takes anywhere in the program: a pool that has what it needs opens none.
Reported are sql.Open and OpenDB, and their like of sqlx and gorm; lint prints one of a program. Not reported: packages
that call SetMaxIdleConns.`)

func findIdleConns(u *unit) {
	var opened []*ast.CallExpr
	for _, call := range each[*ast.CallExpr](u) {
		fn := u.callee(call)
		switch {
		case fn == nil:
		case fn.Name() == "SetMaxIdleConns":
			return
		case isFunc(fn, "database/sql", "Open", "OpenDB"), isFunc(fn, "gorm.io/gorm", "Open"),
			isFunc(fn, "github.com/jmoiron/sqlx", "Open", "Connect", "MustConnect", "ConnectContext", "MustOpen"):
			opened = append(opened, call)
		}
	}
	for _, call := range opened {
		u.report(call, "connections are opened again and again, because two are kept that nobody uses: SetMaxIdleConns, "+
			"for as many as are used at once")
	}
}
