package drivers

import (
	"context"
	"database/sql"
	sqldriver "database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"
	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"

	"github.com/gocasebook/casebook/app/store/driver"
)

// errAddress does not show the address: it may have a password in it.
var errAddress = errors.New("the address of the database cannot be read; its form is " +
	"postgres://user@host:port/database")

func openPostgres(ctx context.Context, address string) (*sql.DB, error) {
	db, err := sql.Open("pgx", address)
	if err != nil {
		return nil, errAddress
	}
	db.SetMaxOpenConns(16)
	db.SetMaxIdleConns(16)
	if err := db.PingContext(ctx); err != nil {
		var unread *pgconn.ParseConfigError
		if errors.As(err, &unread) {
			err = errAddress
		}
		return nil, errors.Join(explainPostgres(err), db.Close())
	}
	return db, nil
}

// explainPostgres tells a server that is away from a mistake of ours, or of a sender. Classes of SQLSTATE: 08
// connection, 53 resources, 57P the server is stopping or starting, 40 a transaction that can be tried again, 22 a
// value that no column holds.
func explainPostgres(err error) error {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		switch {
		case e.Code == "53100":
			return fmt.Errorf("%w: %s", driver.ErrFull, e.Message)
		case strings.HasPrefix(e.Code, "22"):
			return fmt.Errorf("%w: %s", driver.ErrInvalid, e.Message)
		case strings.HasPrefix(e.Code, "08"), strings.HasPrefix(e.Code, "53"), strings.HasPrefix(e.Code, "57P"),
			strings.HasPrefix(e.Code, "40"):
			return fmt.Errorf("%w: %s (SQLSTATE %s)", driver.ErrUnavailable, e.Message, e.Code)
		}
		return err
	}
	var connecting *pgconn.ConnectError
	var network *net.OpError
	switch {
	case errors.As(err, &connecting):
		return fmt.Errorf("%w: no connection to the database: %w", driver.ErrUnavailable, errors.Unwrap(connecting))
	case errors.As(err, &network), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF),
		errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, sqldriver.ErrBadConn),
		pgconn.Timeout(err):
		return fmt.Errorf("%w: the connection to the database was lost: %w", driver.ErrUnavailable, err)
	}
	return err
}
