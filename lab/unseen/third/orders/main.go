// Orders takes orders: it stores each, and has it paid for by another service.
package main

import (
	"context"
	"database/sql"
	"flag"
	"io"
	"log"
	"net/http"
	"path/filepath"
	"time"

	_ "github.com/glebarez/go-sqlite"

	"github.com/gocasebook/casebook/lab/unseen/third/form"
	"github.com/gocasebook/casebook/lab/unseen/third/web"
)

type shop struct {
	db       *sql.DB
	client   *http.Client
	payments string
}

func (s *shop) pay(ctx context.Context, customer string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.payments+"/pay?customer="+customer, nil)
	if err != nil {
		return "", err
	}
	res, err := s.client.Do(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	receipt, err := io.ReadAll(res.Body)
	return string(receipt), err
}

// store keeps the order, and its receipt if it is paid in the same transaction.
func (s *shop) store(ctx context.Context, customer, receipt string) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, "INSERT INTO orders (customer, receipt) VALUES (?, ?)", customer, receipt)
	if err != nil {
		return err
	}
	if receipt == "" {
		id, err := res.LastInsertId()
		if err != nil {
			return err
		}
		if receipt, err = s.pay(ctx, customer); err != nil {
			return err
		}
		if _, err = tx.ExecContext(ctx, "UPDATE orders SET receipt = ? WHERE id = ?", receipt, id); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func (s *shop) place(w http.ResponseWriter, r *http.Request) {
	customer, receipt := r.FormValue("customer"), ""
	var err error
	if form.Fixed {
		receipt, err = s.pay(r.Context(), customer)
	}
	if err == nil {
		err = s.store(r.Context(), customer, receipt)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusCreated)
}

func (s *shop) count(w http.ResponseWriter, r *http.Request) {
	var n string
	row := s.db.QueryRowContext(r.Context(), "SELECT count(*) FROM orders WHERE customer = ?", r.FormValue("customer"))
	if err := row.Scan(&n); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	io.WriteString(w, n)
}

// payments answers in 250 ms.
func payments() {
	http.HandleFunc("POST /pay", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(250 * time.Millisecond)
		io.WriteString(w, "receipt of "+r.FormValue("customer"))
	})
	log.Fatal(http.ListenAndServe(*web.Peer, nil))
}

func main() {
	flag.Parse()
	if *web.Back {
		payments()
	}
	const options = "?_txlock=immediate&_pragma=busy_timeout(20000)&_pragma=journal_mode(WAL)"
	db, err := sql.Open("sqlite", "file:"+filepath.Join(*web.Dir, "orders.db")+options)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := db.Exec("CREATE TABLE IF NOT EXISTS orders (id INTEGER PRIMARY KEY, customer, receipt)"); err != nil {
		log.Fatal(err)
	}
	s := &shop{db: db, client: &http.Client{Timeout: 5 * time.Second}, payments: "http://" + *web.Peer}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders", s.place)
	mux.HandleFunc("GET /orders/count", s.count)
	web.Serve(mux)
}
