package checks

import (
	"go/ast"
	"go/types"
	"iter"
	"slices"
	"strings"

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
	for _, call := range u.forElements() {
		if u.asksRows(call, known) {
			u.report(call, "a query for each element: ask for all of them at once, and look the answers up")
		}
	}
}

// forElements yields the calls that a range over a slice or a map makes with something of each element.
func (u *unit) forElements() iter.Seq2[inspector.Cursor, *ast.CallExpr] {
	return func(yield func(inspector.Cursor, *ast.CallExpr) bool) {
		for cur, call := range each[*ast.CallExpr](u) {
			l, again := loop(cur)
			if !again || u.runsOnce(cur) || u.coldIn(cur, l) || startsLater(cur) {
				continue
			}
			r, ok := l.Node().(*ast.RangeStmt)
			if ok && u.isCollection(r.X) && u.ofElement(call, r) && !yield(cur, call) {
				return
			}
		}
	}
}

// asksRows reports whether a call asks a database for rows, or is of a function of the package that surely does.
func (u *unit) asksRows(call *ast.CallExpr, known map[*types.Func]bool) bool {
	fn := u.Callee(call)
	return u.readsRows(call) || fn != nil && known[fn.Origin()]
}

// readers are the functions of the package that surely make a query when they are called.
func (u *unit) readers() map[*types.Func]bool {
	known := make(map[*types.Func]bool)
	reads := func(call *ast.CallExpr, _ *types.Func) string {
		if u.readsRows(call) {
			return "asks a database"
		}
		return ""
	}
	for cur, d := range each[*ast.FuncDecl](u) {
		if fn, ok := u.TypesInfo.Defs[d.Name].(*types.Func); ok && d.Body != nil && !u.writesRows(cur.Node()) {
			_, known[fn] = u.onPath(d.Body.List, nil, reads)
		}
	}
	return known
}

// readsRows reports whether a call asks a database for rows.
func (u *unit) readsRows(call *ast.CallExpr) bool {
	fn := u.Callee(call)
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
func (u *unit) writesRows(n ast.Node) bool {
	return some(n, func(n ast.Node) bool {
		lit, ok := n.(*ast.BasicLit)
		return ok && slices.ContainsFunc([]string{"INSERT", "UPDATE", "DELETE"}, func(word string) bool {
			return strings.HasPrefix(strings.ToUpper(strings.TrimLeft(lit.Value, "`\" \t\n")), word)
		})
	})
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
func (u *unit) ofElement(call *ast.CallExpr, r *ast.RangeStmt) bool {
	return slices.ContainsFunc(call.Args, func(arg ast.Expr) bool {
		return some(arg, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return false
			}
			v, ok := u.TypesInfo.Uses[id].(*types.Var)
			return ok && within(r, v.Pos())
		})
	})
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
	for _, call := range u.forElements() {
		fn := u.Callee(call)
		if fn == nil || fn.Pkg() == nil || !strings.Contains(fn.Pkg().Path(), ".") && fn.Pkg() != u.Pkg ||
			u.asksRows(call, known) || !slices.Contains(lookups, firstWord(fn.Name())) {
			continue
		}
		u.relate(call,
			"below this a database is asked, for each element: ask for all of them at once, and look the answers up",
			there(call, "is asked here"))
	}
}

var queryPrepare = check("queryprepare", findQueryPrepare, `report statements that the driver prepares again at each call

A query with its text is parsed and planned by the database each time, and by SQLite in this process; a sql.Stmt that is
kept is prepared once for each connection.

It counts only with heat, by what drivers take to prepare below the line. Reported are queries and statements of
database/sql, sqlx and gorm with a text. Not reported: those of a sql.Stmt, of drivers that keep what they prepared by
its text, and what runs once.`)

const (
	prepareOnce = "this statement is prepared again at each call: prepare it once, and keep the sql.Stmt"
	prepareGorm = "this statement is prepared again at each call: gorm keeps them with PrepareStmt in its Config"
	// The methods of their types that run a statement which they have to prepare.
	runsText = "Query QueryContext QueryRow QueryRowContext Exec ExecContext Get GetContext Select SelectContext " +
		"Queryx QueryRowx NamedExec NamedQuery Find First Take Last Count Scan Pluck Create Save Updates Update Delete"
	sqlxPath = "github.com/jmoiron/sqlx"
)

var findQueryPrepare = tell([]callee{
	{"database/sql", "DB", runsText, prepareOnce}, {"database/sql", "Conn", runsText, prepareOnce},
	{"database/sql", "Tx", runsText, prepareOnce}, {sqlxPath, "DB", runsText, prepareOnce},
	{sqlxPath, "Conn", runsText, prepareOnce}, {sqlxPath, "Tx", runsText, prepareOnce},
	{"gorm.io/gorm", "DB", runsText, prepareGorm}})

var idleConns = check("idleconns", findIdleConns, `report pools of database/sql that open connections again and again

A sql.DB keeps two connections that nobody uses, unless SetMaxIdleConns says otherwise, and closes the others. With ten
users at once most of them wait for a new one: a handshake with a server, or the file and the schema with SQLite.

It counts only with heat, by what opening takes anywhere in the program: a pool that has what it needs opens none.
Reported are sql.Open and OpenDB, and their like of sqlx and gorm; lint prints one of a program. Not reported: packages
that call SetMaxIdleConns.`)

var opens = []callee{{"database/sql", "", "Open OpenDB", ""}, {"gorm.io/gorm", "", "Open", ""},
	{sqlxPath, "", "Open Connect MustConnect ConnectContext MustOpen", ""}}

func findIdleConns(u *unit) {
	var opened []*ast.CallExpr
	for _, call := range each[*ast.CallExpr](u) {
		switch fn := u.Callee(call); {
		case fn != nil && fn.Name() == "SetMaxIdleConns":
			return
		case rowOf(opens, fn) != nil:
			opened = append(opened, call)
		}
	}
	for _, call := range opened {
		u.report(call, "connections are opened again and again, because two are kept that nobody uses: SetMaxIdleConns, "+
			"for as many as are used at once")
	}
}
