// Pgx is a shop's orders in PostgreSQL by pgxpool: reads, writes in a transaction, a listener in the background.
package main

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/gocasebook/casebook/lab/modules/serve"
	"github.com/gocasebook/casebook/lab/modules/serve/postgres"
)

type store struct{ pool *pgxpool.Pool }

func (s *store) orders(ctx context.Context, customer int) ([]string, error) {
	rows, err := s.pool.Query(ctx, "SELECT item FROM orders WHERE customer = $1 LIMIT 20", customer)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// newest forgets to close rows: the connection never comes back.
func (s *store) newest(ctx context.Context, customer int) (item string, err error) {
	rows, err := s.pool.Query(ctx, "SELECT item FROM orders WHERE customer = $1 ORDER BY id DESC", customer)
	if err != nil {
		return "", err
	}
	if rows.Next() {
		err = rows.Scan(&item)
	}
	return item, err
}

func (s *store) add(ctx context.Context, customer int) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "INSERT INTO orders (customer, item) VALUES ($1, 'new')", customer)
		return err
	})
}

func (s *store) listen(ctx context.Context) error {
	c, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer c.Release()
	if _, err := c.Exec(ctx, "LISTEN changes"); err != nil {
		return err
	}
	for {
		if _, err := c.Conn().WaitForNotification(ctx); err != nil {
			return err
		}
	}
}

func start(o serve.Options) error {
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, "host="+o.Backend+" user=postgres dbname=postgres pool_max_conns=10")
	if err != nil {
		return err
	}
	if _, err := pool.Exec(ctx, `CREATE TABLE orders (id SERIAL PRIMARY KEY, customer INT, item TEXT); CREATE INDEX ON orders (customer);
		INSERT INTO orders (customer, item) SELECT i % 2000, 'item ' || i FROM generate_series(1, 20000) i`); err != nil {
		return err
	}
	s := &store{pool}
	go s.listen(ctx)
	answer := func(w http.ResponseWriter, v any, err error) {
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprintln(w, v)
	}
	http.HandleFunc("/orders", func(w http.ResponseWriter, r *http.Request) {
		c, _ := strconv.Atoi(r.FormValue("c"))
		out, err := s.orders(r.Context(), c)
		answer(w, out, err)
	})
	http.HandleFunc("/order", func(w http.ResponseWriter, r *http.Request) {
		c, _ := strconv.Atoi(r.FormValue("c"))
		answer(w, "ok", s.add(r.Context(), c))
	})
	http.HandleFunc("/newest", func(w http.ResponseWriter, r *http.Request) {
		c, _ := strconv.Atoi(r.FormValue("c"))
		if !o.Sick {
			out, err := s.orders(r.Context(), c)
			answer(w, out, err)
			return
		}
		item, err := s.newest(ctx, c)
		answer(w, item, err)
	})
	return nil
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 1000, Backend: postgres.Backend, Path: func(i int) string {
		switch {
		case i%20 == 0:
			return fmt.Sprint("/order?c=", i%2000)
		case i%50 == 7:
			return fmt.Sprint("/newest?c=", i%2000)
		}
		return fmt.Sprint("/orders?c=", i*7%2000)
	}})
}
