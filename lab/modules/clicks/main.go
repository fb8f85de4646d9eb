// Clicks counts what a search page showed, as rows in PostgreSQL by pgxpool.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/gocasebook/casebook/lab/modules/serve"
	"github.com/gocasebook/casebook/lab/modules/serve/postgres"
)

const insert = "INSERT INTO shown (query, item, rank) VALUES ($1, $2, $3)"

type search struct {
	pool     *pgxpool.Pool
	together bool
}

func (s *search) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q, err := strconv.Atoi(r.FormValue("q"))
	if err != nil {
		http.Error(w, "q is a number", http.StatusBadRequest)
		return
	}
	items := make([]int, 8)
	for i := range items {
		items[i] = (q*131 + i*7) % 9973
	}
	if s.together {
		go s.shown(q, items)
	} else {
		for rank, item := range items {
			s.record(q, item, rank)
		}
	}
	for _, item := range items {
		fmt.Fprintf(w, "item %d\n", item)
	}
}

// record does not keep the answer waiting.
func (s *search) record(q, item, rank int) {
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		defer cancel()
		if _, err := s.pool.Exec(ctx, insert, q, item, rank); err != nil {
			log.Println("recording what was shown:", err)
		}
	}()
}

// shown sends all rows in one exchange.
func (s *search) shown(q int, items []int) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	var b pgx.Batch
	for rank, item := range items {
		b.Queue(insert, q, item, rank)
	}
	if err := s.pool.SendBatch(ctx, &b).Close(); err != nil {
		log.Println("recording what was shown:", err)
	}
}

func start(o serve.Options) error {
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, "host="+o.Backend+" user=postgres dbname=postgres pool_max_conns=16")
	if err != nil {
		return err
	}
	if _, err := pool.Exec(ctx, "CREATE UNLOGGED TABLE shown (query INT, item INT, rank INT)"); err != nil {
		return err
	}
	http.Handle("/search", &search{pool, o.Kind == "together"})
	return nil
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 1500, Backend: postgres.Backend,
		Path: func(i int) string { return fmt.Sprint("/search?q=", i*7919%30_000) }})
}
