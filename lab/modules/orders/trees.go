package main

import (
	"github.com/cockroachdb/pebble/v2"
	"github.com/dgraph-io/badger/v4"
	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/opt"
)

// Databases with a log and sorted tables. The goroutines of badger and Pebble sync for all who commit.

type inBadger struct{ db *badger.DB }

func openBadger(dir string) (store, error) {
	db, err := badger.Open(badger.DefaultOptions(dir).WithSyncWrites(true).WithLoggingLevel(badger.ERROR))
	return &inBadger{db}, err
}

func (s *inBadger) keep(all []position) error {
	return s.db.Update(func(tx *badger.Txn) error {
		for _, p := range all {
			if err := tx.Set(p.key(), p.value()); err != nil {
				return err
			}
		}
		return nil
	})
}

type inPebble struct{ db *pebble.DB }

func openPebble(dir string) (store, error) {
	db, err := pebble.Open(dir, &pebble.Options{})
	return &inPebble{db}, err
}

func (s *inPebble) keep(all []position) error {
	b := s.db.NewBatch()
	defer b.Close()
	for _, p := range all {
		if err := b.Set(p.key(), p.value(), nil); err != nil {
			return err
		}
	}
	return b.Commit(pebble.Sync)
}

type inLevelDB struct{ db *leveldb.DB }

func openLevelDB(dir string) (store, error) {
	db, err := leveldb.OpenFile(dir+"/orders", nil)
	return &inLevelDB{db}, err
}

func (s *inLevelDB) keep(all []position) error {
	b := new(leveldb.Batch)
	for _, p := range all {
		b.Put(p.key(), p.value())
	}
	return s.db.Write(b, &opt.WriteOptions{Sync: true})
}
