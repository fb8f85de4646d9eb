package idleconns

import "database/sql"

type store struct{ db *sql.DB }

func open(dsn string) (*store, error) {
	db, err := sql.Open("postgres", dsn) // want `connections are opened again and again`
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(20)
	return &store{db}, nil
}

func openLite(file string) (*store, error) {
	db, err := sql.Open("sqlite", file) // want `SetMaxIdleConns, for as many`
	return &store{db}, err
}

// What follows is fine.

type pool struct{}

func (pool) Open(driver, dsn string) error { return nil }

func opened(p pool) error { return p.Open("postgres", "") }
