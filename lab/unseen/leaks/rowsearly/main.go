// Boards of a project tool, in SQLite: a board's blocks with their versions.
package main

import (
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"net/http"
	_ "net/http/pprof"
	"os"
	"path/filepath"
	"strings"
	"time"

	_ "github.com/glebarez/go-sqlite"
)

type block struct {
	ID, Board, Title, Fields string
	Updated, Deleted         int64
}

var errNone = errors.New("no such block")

type store struct {
	db    *sql.DB
	close bool
}

// newest is the last version of a board's blocks that is not deleted.
func (s *store) newest(board string) (block, error) {
	rows, err := s.db.Query(`SELECT id, board, title, fields, updated, deleted FROM blocks WHERE board = ? ORDER BY updated DESC`, board)
	if err != nil {
		return block{}, err
	}
	if s.close {
		defer rows.Close()
	}
	for rows.Next() {
		var b block
		if err := rows.Scan(&b.ID, &b.Board, &b.Title, &b.Fields, &b.Updated, &b.Deleted); err != nil {
			return block{}, err
		}
		if b.Deleted == 0 {
			return b, nil
		}
	}
	return block{}, errNone
}

func (s *store) fill() error {
	if _, err := s.db.Exec(`CREATE TABLE blocks (id TEXT, board TEXT, title TEXT, fields TEXT, updated INTEGER, deleted INTEGER)`); err != nil {
		return err
	}
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for i := range 20_000 {
		if _, err := tx.Exec(`INSERT INTO blocks VALUES (?, ?, ?, ?, ?, ?)`, fmt.Sprint("b", i), fmt.Sprint("board", i%200),
			fmt.Sprint("block ", i), strings.Repeat(`{"prop":"value"}`, 1+rand.IntN(20)), i, boolInt(i%7 == 0)); err != nil {
			return err
		}
	}
	if _, err := tx.Exec(`CREATE INDEX by_board ON blocks (board, updated)`); err != nil {
		return err
	}
	return tx.Commit()
}

func boolInt(b bool) int64 {
	if b {
		return time.Now().Unix()
	}
	return 0
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8302", "address to serve on")
	fixed := flag.Bool("fixed", false, "close the rows")
	flag.Parse()
	dir, err := os.MkdirTemp("", "boards")
	if err != nil {
		log.Fatal(err)
	}
	db, err := sql.Open("sqlite", filepath.Join(dir, "boards.db"))
	if err != nil {
		log.Fatal(err)
	}
	s := &store{db: db, close: *fixed}
	if err := s.fill(); err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("GET /boards/{board}/newest", func(w http.ResponseWriter, r *http.Request) {
		b, err := s.newest(r.PathValue("board"))
		switch {
		case errors.Is(err, errNone):
			http.NotFound(w, r)
		case err != nil:
			http.Error(w, err.Error(), http.StatusInternalServerError)
		default:
			json.NewEncoder(w).Encode(b)
		}
	})
	log.Fatal(http.ListenAndServe(*addr, nil))
}
