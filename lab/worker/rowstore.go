package worker

import (
	"fmt"

	"github.com/gocasebook/casebook/lab/worker/event"
)

// A rowStore keeps a row an event in a database. What is put twice, after a failure, is there once: the key of a row is
// the event's.
type rowStore struct {
	database
	maker rowMaker
	bytes int64
}

// rowsEach is how many rows are put by one call.
const rowsEach = 200

// tableName is the table of the rows.
const tableName = "events"

func newRowStore(c Config, items catalogue, numbers *groupNumbers) *rowStore {
	return &rowStore{database: newDatabase(c, numbers), maker: rowMaker{items: items}}
}

func (s *rowStore) keep(batches []*event.Batch) error {
	all := s.maker.make(batches)
	for len(all) > 0 {
		n := min(len(all), rowsEach)
		if err := s.put(tableName, all[:n]); err != nil {
			return fmt.Errorf("putting %d rows into the database: %w", n, err)
		}
		all = all[n:]
	}
	s.bytes += s.maker.bytes()
	return nil
}

func (s *rowStore) kept() int64 { return s.bytes }
