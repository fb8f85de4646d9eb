// Orders takes orders of some positions and keeps them on the disk. The form (-kind) says in what: bbolt, sqlite, a
// journal, or a file for each position; with "-each" every position is committed by itself.
package main

import (
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	bolt "go.etcd.io/bbolt"
	_ "modernc.org/sqlite"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

const positions = 15

// A position is a line of an order.
type position struct{ Article, Pieces int }

// A store keeps positions; when keep returns they are on the disk.
type store interface{ keep(all []position) error }

type orders struct {
	store store
	each  bool
}

func (o *orders) take(all []position) error {
	if !o.each {
		return o.store.keep(all)
	}
	for i := range all {
		if err := o.store.keep(all[i : i+1]); err != nil {
			return err
		}
	}
	return nil
}

func (o *orders) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	all := make([]position, positions)
	for i := range all {
		all[i] = position{100 + i*i, 1 + i%3}
	}
	if err := o.take(all); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	fmt.Fprintln(w, "taken")
}

type inBolt struct{ db *bolt.DB }

func (s *inBolt) keep(all []position) error {
	return s.db.Update(func(tx *bolt.Tx) error {
		b, err := tx.CreateBucketIfNotExists([]byte("positions"))
		for i := 0; err == nil && i < len(all); i++ {
			key := binary.BigEndian.AppendUint32(nil, uint32(all[i].Article))
			err = b.Put(key, fmt.Append(nil, all[i].Pieces))
		}
		return err
	})
}

type inSQLite struct{ db *sql.DB }

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

// A journal has a file for each order that is taken at the same time.
type journal struct{ files chan *os.File }

func (s *journal) keep(all []position) error {
	f := <-s.files
	defer func() { s.files <- f }()
	line, err := json.Marshal(all)
	if err != nil {
		return err
	}
	if _, err := f.Write(append(line, '\n')); err != nil {
		return err
	}
	return f.Sync()
}

type inFiles struct{ dir string }

func (s *inFiles) keep(all []position) error {
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(s.dir, "new-")
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(text); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return os.Rename(f.Name(), filepath.Join(s.dir, fmt.Sprint(all[0].Article)))
}

func open(of, dir string) (store, error) {
	switch of {
	case "bbolt":
		db, err := bolt.Open(dir+"/orders.db", 0o600, nil)
		return &inBolt{db}, err
	case "sqlite":
		db, err := sql.Open("sqlite", dir+"/orders.db?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)")
		if err != nil {
			return nil, err
		}
		db.SetMaxOpenConns(1) // SQLite has one writer
		_, err = db.Exec("CREATE TABLE positions (article INT, pieces INT)")
		return &inSQLite{db}, err
	case "journal":
		s := &journal{make(chan *os.File, 8)}
		for i := range cap(s.files) {
			f, err := os.Create(fmt.Sprint(dir, "/journal", i))
			if err != nil {
				return nil, err
			}
			s.files <- f
		}
		return s, nil
	case "files":
		return &inFiles{dir}, nil
	}
	return nil, fmt.Errorf("no store %q", of)
}

func start(o serve.Options) error {
	of, how, _ := strings.Cut(o.Kind, "-")
	dir, err := os.MkdirTemp("", "modules-orders-")
	if err != nil {
		return err
	}
	s, err := open(of, dir)
	if err != nil {
		return err
	}
	http.Handle("POST /orders", &orders{s, how == "each"})
	return nil
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 4, Method: http.MethodPost,
		Path: func(int) string { return "/orders" }})
}
