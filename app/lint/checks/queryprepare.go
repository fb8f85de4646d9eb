package checks

import (
	"go/ast"
	"go/types"
	"slices"
)

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
