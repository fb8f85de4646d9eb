package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// A migration is a step of the schema: migrations/NNNN_name.sql, numbered from 1 without a gap.
type migration struct {
	number int
	name   string
	sql    string
}

func migrations() ([]migration, error) {
	names, err := fs.Glob(migrationFiles, "migrations/*.sql") // sorted
	if err != nil {
		return nil, err
	}
	var all []migration
	for i, name := range names {
		text, err := migrationFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		name = strings.TrimPrefix(name, "migrations/")
		digits, _, _ := strings.Cut(name, "_")
		if n, err := strconv.Atoi(digits); err != nil || n != i+1 {
			return nil, fmt.Errorf("migration %s is not number %d", name, i+1)
		}
		all = append(all, migration{i + 1, name, string(text)})
	}
	return all, nil
}

// migrate brings the schema up to date. Each step is a transaction of its own; of several processes that open the store
// at once, one does it and the others wait.
func migrate(ctx context.Context, db *sql.DB, d dialect) error {
	all, err := migrations()
	if err != nil {
		return err
	}
	for {
		more, err := migrateOnce(ctx, db, d, all)
		if err != nil || !more {
			return err
		}
	}
}

func migrateOnce(ctx context.Context, db *sql.DB, d dialect, all []migration) (more bool, err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, rollback(tx)) }()
	at, err := schemaVersion(ctx, tx, d)
	switch {
	case err != nil:
		return false, err
	case at > len(all):
		return false, fmt.Errorf("a newer Casebook made its tables (version %d, this one knows %d): update casebook", at,
			len(all))
	case at == len(all):
		return false, nil
	}
	m := all[at]
	if _, err := tx.ExecContext(ctx, strings.ReplaceAll(m.sql, "{{bytes}}", d.bytes)); err != nil {
		return false, fmt.Errorf("migration %s: %w", m.name, err)
	}
	x := &index{db, d}
	_, err = x.exec(ctx, tx, "INSERT INTO migrations (number, name) VALUES ($1, $2)", m.number, m.name)
	if err != nil {
		return false, fmt.Errorf("migration %s: %w", m.name, err)
	}
	return true, tx.Commit()
}

// schemaVersion returns the number of the last migration that was done, under the lock of the schema.
func schemaVersion(ctx context.Context, tx *sql.Tx, d dialect) (int, error) {
	if d.lockSchema != "" {
		if _, err := tx.ExecContext(ctx, d.lockSchema); err != nil {
			return 0, err
		}
	}
	const table = "CREATE TABLE IF NOT EXISTS migrations (number INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL)"
	if _, err := tx.ExecContext(ctx, table); err != nil {
		return 0, err
	}
	var at int
	err := tx.QueryRowContext(ctx, "SELECT COALESCE(MAX(number), 0) FROM migrations").Scan(&at)
	return at, err
}

// rollback ends a transaction that was not committed.
func rollback(tx *sql.Tx) error {
	if err := tx.Rollback(); err != nil && !errors.Is(err, sql.ErrTxDone) {
		return err
	}
	return nil
}
