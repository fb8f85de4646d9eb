package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"
	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
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

	shared   bool   // by servers on several machines
	contains string // whether the text of a row has another in it: LIKE takes SQLite several times as long
	explain  func(error) error
}

func sqliteDialect() dialect {
	return dialect{name: "sqlite", bytes: "BLOB", contains: "instr(search, ?) > 0", explain: explainSQLite}
}

func postgresDialect() dialect {
	// The numbers are any that nobody else uses in this database: "casebook" in ASCII, and the next. Of a sweep that
	// stands still the server ends the session, so that uploads do not wait for it.
	return dialect{name: "postgres", bytes: "BYTEA", shared: true, contains: "strpos(search, ?) > 0",
		lockSchema: "SELECT pg_advisory_xact_lock(7161130608943230827)",
		lockUpload: "SELECT pg_advisory_xact_lock_shared(7161130608943230828)",
		lockSweep: "SET LOCAL idle_in_transaction_session_timeout = '10s'; " +
			"SELECT pg_advisory_xact_lock(7161130608943230828)",
		explain: explainPostgres}
}

// errAddress does not show the address: it may have a password in it.
var errAddress = errors.New("the address of the database cannot be read; its form is postgres://user@host:port/database")

// connect opens the database that Config.Index names.
func connect(ctx context.Context, where string) (*sql.DB, dialect, error) {
	scheme, rest, _ := strings.Cut(where, ":")
	switch scheme {
	case "sqlite":
		db, err := connectSQLite(rest)
		return db, sqliteDialect(), err
	case "postgres", "postgresql":
		db, err := sql.Open("pgx", where)
		if err != nil {
			return nil, dialect{}, errAddress
		}
		db.SetMaxOpenConns(16)
		db.SetMaxIdleConns(16)
		d := postgresDialect()
		if err := db.PingContext(ctx); err != nil {
			var unread *pgconn.ParseConfigError
			if errors.As(err, &unread) {
				err = errAddress
			}
			return nil, d, errors.Join(d.explain(err), db.Close())
		}
		return db, d, nil
	}
	return nil, dialect{}, errors.New(`no such database; name "sqlite:PATH" or "postgres://…"`)
}

// connectSQLite opens a file, made if needed. Write-ahead logging lets readers go on while a case is written;
// synchronous FULL makes a commit durable in that mode (NORMAL does not).
func connectSQLite(path string) (*sql.DB, error) {
	if path == "" {
		return nil, errors.New("sqlite: needs the path of a file")
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) // the driver would make it 0644
	if err != nil {
		return nil, err
	}
	if err := file.Close(); err != nil {
		return nil, err
	}
	set := url.Values{"_pragma": {"journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)", "busy_timeout(10000)"},
		"_txlock": {"immediate"}}
	return sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?"+set.Encode())
}

func explainSQLite(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("%w: %w", ErrFull, err)
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return fmt.Errorf("%w: another process holds its lock: %w", ErrUnavailable, err)
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("its file is damaged, or is no database of SQLite; `casebook store check` says more: %w", err)
	}
	return err
}

// explainPostgres tells a server that is away from a mistake of ours, or of a sender. Classes of SQLSTATE: 08 connection,
// 53 resources, 57P the server is stopping or starting, 40 a transaction that can be tried again, 22 a value that no
// column holds.
func explainPostgres(err error) error {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		switch {
		case e.Code == "53100":
			return fmt.Errorf("%w: %s", ErrFull, e.Message)
		case strings.HasPrefix(e.Code, "22"):
			return fmt.Errorf("%w: %s", ErrInvalid, e.Message)
		case strings.HasPrefix(e.Code, "08"), strings.HasPrefix(e.Code, "53"), strings.HasPrefix(e.Code, "57P"),
			strings.HasPrefix(e.Code, "40"):
			return fmt.Errorf("%w: %s (SQLSTATE %s)", ErrUnavailable, e.Message, e.Code)
		}
		return err
	}
	var connecting *pgconn.ConnectError
	var network *net.OpError
	switch {
	case errors.As(err, &connecting):
		return fmt.Errorf("%w: no connection to the database: %w", ErrUnavailable, errors.Unwrap(connecting))
	case errors.As(err, &network), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF),
		errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, driver.ErrBadConn),
		pgconn.Timeout(err):
		return fmt.Errorf("%w: the connection to the database was lost: %w", ErrUnavailable, err)
	}
	return err
}
