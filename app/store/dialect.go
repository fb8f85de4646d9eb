package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/gocasebook/casebook/app/store/driver"
)

// A dialect is where the two databases differ. Both take $1 as a placeholder, and know ON CONFLICT DO NOTHING,
// cascading deletes, and the types that the migrations use.
type dialect struct {
	name  string
	bytes string // the type of a column of bytes
	// lockSchema makes others that open the store wait until the transaction ends.
	lockSchema string
	// lockUpload and lockSweep keep transactions of uploads and of sweeps apart, until theirs ends: stamp.go.
	lockUpload, lockSweep string

	shared   bool              // by servers on several machines
	contains string            // whether the text of a row has another in it: LIKE takes SQLite several times as long
	explain  func(error) error // the driver's
}

func sqliteDialect() dialect {
	return dialect{name: "sqlite", bytes: "BLOB", contains: "instr(search, ?) > 0"}
}

func postgresDialect() dialect {
	// The numbers are any that nobody else uses in this database: "casebook" in ASCII, and the next. Of a sweep that
	// stands still the server ends the session, so that uploads do not wait for it.
	return dialect{name: "postgres", bytes: "BYTEA", shared: true, contains: "strpos(search, ?) > 0",
		lockSchema: "SELECT pg_advisory_xact_lock(7161130608943230827)",
		lockUpload: "SELECT pg_advisory_xact_lock_shared(7161130608943230828)",
		lockSweep: "SET LOCAL idle_in_transaction_session_timeout = '10s'; " +
			"SELECT pg_advisory_xact_lock(7161130608943230828)"}
}

// errNoDrivers says that a program was built without them. casebook runs casebook-store before it comes to that.
var errNoDrivers = errors.New("this program was built without databases and buckets")

// connect opens the database that Config.Index names.
func connect(ctx context.Context, where string) (*sql.DB, dialect, error) {
	linked := driver.Linked()
	if linked == nil {
		return nil, dialect{}, errNoDrivers
	}
	scheme, rest, _ := strings.Cut(where, ":")
	d, from := sqliteDialect(), linked.SQLite
	switch scheme {
	case "sqlite":
		where = rest
	case "postgres", "postgresql":
		d, from = postgresDialect(), linked.Postgres
	default:
		return nil, dialect{}, errors.New(`no such database; name "sqlite:PATH" or "postgres://…"`)
	}
	d.explain = from.Explain
	db, err := from.Open(ctx, where)
	return db, d, err
}
