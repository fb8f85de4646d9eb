package checks

import (
	"go/ast"
)

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
