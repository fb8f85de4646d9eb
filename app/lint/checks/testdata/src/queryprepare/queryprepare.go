package queryprepare

import (
	"context"
	"database/sql"
)

type store struct {
	db   *sql.DB
	byID *sql.Stmt
}

func (s *store) name(id int) (name string, err error) {
	err = s.db.QueryRow("SELECT name FROM users WHERE id = ?", id).Scan(&name) // want `prepare it once, and keep the sql.Stmt`
	return name, err
}

func (s *store) names(ctx context.Context) (*sql.Rows, error) {
	return s.db.QueryContext(ctx, "SELECT name FROM users") // want `this statement is prepared again at each call`
}

func (s *store) add(ctx context.Context, name string) error {
	_, err := s.db.ExecContext(ctx, `INSERT INTO users (name) VALUES (?)`, name) // want `prepared again`
	return err
}

func inTx(tx *sql.Tx, ids []int) error {
	for _, id := range ids {
		if _, err := tx.Exec("DELETE FROM users WHERE id = ?", id); err != nil { // want `prepared again`
			return err
		}
	}
	return nil
}

func onConn(ctx context.Context, c *sql.Conn) *sql.Row {
	return c.QueryRowContext(ctx, "SELECT count(*) FROM users") // want `prepared again`
}

// What follows is fine.

func (s *store) prepared(id int) (name string, err error) {
	return name, s.byID.QueryRow(id).Scan(&name)
}

func (s *store) prepare() (err error) {
	s.byID, err = s.db.Prepare("SELECT name FROM users WHERE id = ?")
	return err
}

func (s *store) migrateUsers() error {
	_, err := s.db.Exec("CREATE TABLE users (id INTEGER, name TEXT)")
	return err
}

func (s *store) ping() error { return s.db.Ping() }

type own struct{}

func (own) Query(string) int { return 0 }

func asked(o own) int { return o.Query("SELECT") }
