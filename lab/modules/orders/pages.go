package main

import (
	"database/sql"

	bolt "go.etcd.io/bbolt"
	_ "modernc.org/sqlite"
)

// Databases with pages: the request's own goroutine syncs.

type inBolt struct{ db *bolt.DB }

func openBolt(dir string) (store, error) {
	db, err := bolt.Open(dir+"/orders.db", 0o600, nil)
	return &inBolt{db}, err
}

func (s *inBolt) keep(all []position) error {
	return s.db.Update(func(tx *bolt.Tx) error { return put(tx, all) })
}

func put(tx *bolt.Tx, all []position) error {
	b, err := tx.CreateBucketIfNotExists([]byte("positions"))
	for i := 0; err == nil && i < len(all); i++ {
		err = b.Put(all[i].key(), all[i].value())
	}
	return err
}

// batched has bbolt's own group commit.
type batched struct{ *inBolt }

func openBatched(dir string) (store, error) {
	db, err := bolt.Open(dir+"/orders.db", 0o600, nil)
	return &batched{&inBolt{db}}, err
}

func (s *batched) keep(all []position) error {
	return s.db.Batch(func(tx *bolt.Tx) error { return put(tx, all) })
}

type inSQLite struct{ db *sql.DB }

func openSQLite(dir string) (store, error) {
	db, err := sql.Open("sqlite", dir+"/orders.db?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // SQLite has one writer
	_, err = db.Exec("CREATE TABLE positions (article INT, pieces INT)")
	return &inSQLite{db}, err
}

func (s *inSQLite) keep(all []position) error {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback() // nothing after Commit
	for _, p := range all {
		if _, err := tx.Exec("INSERT INTO positions VALUES (?, ?)", p.Article, p.Pieces); err != nil {
			return err
		}
	}
	return tx.Commit()
}
