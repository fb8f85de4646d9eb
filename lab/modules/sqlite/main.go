// Sqlite is a shop's orders in SQLite by database/sql: a pool of ten connections, reads and a few writes.
package main

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	_ "modernc.org/sqlite"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

type store struct{ db *sql.DB }

func (s *store) orders(ctx context.Context, customer int) (out []string, err error) {
	rows, err := s.db.QueryContext(ctx, "SELECT id, item FROM orders WHERE customer = ? LIMIT 20", customer)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int
		var item string
		if err := rows.Scan(&id, &item); err != nil {
			return nil, err
		}
		out = append(out, strconv.Itoa(id)+" "+item)
	}
	return out, rows.Err()
}

// newest forgets to close rows: it reads the first and returns.
func (s *store) newest(ctx context.Context, customer int) (string, error) {
	rows, err := s.db.QueryContext(ctx, "SELECT item FROM orders WHERE customer = ? ORDER BY id DESC", customer)
	if err != nil {
		return "", err
	}
	var item string
	if rows.Next() {
		err = rows.Scan(&item)
	}
	return item, err
}

func start(o serve.Options) error {
	dir, err := os.MkdirTemp("", "modules-sqlite-")
	if err != nil {
		return err
	}
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir,
		"shop.db")+"?_pragma=journal_mode(WAL)&_pragma=busy_timeout(5000)&_pragma=synchronous(OFF)")
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(10)
	db.SetMaxIdleConns(10)
	db.SetConnMaxLifetime(5 * time.Minute)
	if _,
		err := db.Exec("CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INT, item TEXT); CREATE INDEX c ON " +
		"orders (customer)"); err != nil {
		return err
	}
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	for i := range 20_000 {
		if _, err := tx.Exec("INSERT INTO orders (customer, item) VALUES (?, ?)", i%2000,
			fmt.Sprint("item ", i)); err != nil {
			return err
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	s := &store{db}
	http.HandleFunc("/orders", func(w http.ResponseWriter, r *http.Request) {
		c, _ := strconv.Atoi(r.FormValue("c"))
		out, err := s.orders(r.Context(), c)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprintln(w, out)
	})
	http.HandleFunc("/order", func(w http.ResponseWriter, r *http.Request) {
		c, _ := strconv.Atoi(r.FormValue("c"))
		if _, err := s.db.ExecContext(r.Context(), "INSERT INTO orders (customer, item) VALUES (?, 'new')",
			c); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	http.HandleFunc("/newest", func(w http.ResponseWriter, r *http.Request) {
		c, _ := strconv.Atoi(r.FormValue("c"))
		if !o.Sick {
			s.orders(r.Context(), c)
			return
		}
		item, err := s.newest(context.Background(), c)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprintln(w, item)
	})
	return nil
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 800, Path: func(i int) string {
		switch {
		case i%20 == 0:
			return fmt.Sprint("/order?c=", i%2000)
		case i%50 == 7:
			return fmt.Sprint("/newest?c=", i%2000)
		}
		return fmt.Sprint("/orders?c=", i*7%2000)
	}})
}
