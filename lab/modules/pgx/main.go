// Pgx is a shop's orders in PostgreSQL by pgxpool: reads, writes in a transaction, a listener in the background.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/gocasebook/casebook/lab/modules/serve"
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

// backend is Debian's PostgreSQL in a folder of its own, over a socket there. It refuses to run as root.
func backend() (string, func(), error) {
	dir, err := os.MkdirTemp("", "modules-pg-")
	if err != nil {
		return "", nil, err
	}
	as := &syscall.SysProcAttr{}
	if u, err := user.Lookup("nobody"); err == nil && os.Getuid() == 0 {
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		as.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		if err := os.Chown(dir, uid, gid); err != nil {
			return "", nil, err
		}
	}
	command := func(name string, args ...string) *exec.Cmd {
		path, err := exec.LookPath(name)
		if found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name); err != nil && len(found) > 0 {
			path = found[len(found)-1]
		}
		cmd := exec.Command(path, args...)
		cmd.Dir, cmd.SysProcAttr = dir, as
		return cmd
	}
	var out bytes.Buffer
	initdb := command("initdb", "-D", dir+"/data", "-A", "trust", "-U", "postgres", "--no-sync")
	initdb.Stdout, initdb.Stderr = &out, &out
	if err := initdb.Run(); err != nil {
		return "", nil, fmt.Errorf("initdb: %w: %s", err, &out)
	}
	pg := command("postgres", "-D", dir+"/data", "-k", dir, "-c", "listen_addresses=", "-c", "fsync=off")
	if err := pg.Start(); err != nil {
		return "", nil, err
	}
	stop := func() {
		pg.Process.Signal(syscall.SIGQUIT)
		pg.Wait()
		os.RemoveAll(dir)
	}
	for range 100 {
		if c, err := pgx.Connect(context.Background(), "host="+dir+" user=postgres dbname=postgres"); err == nil {
			return dir, stop, c.Close(context.Background())
		}
		time.Sleep(100 * time.Millisecond)
	}
	return "", nil, errors.New("PostgreSQL does not answer")
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 1000, Backend: backend, Path: func(i int) string {
		switch {
		case i%20 == 0:
			return fmt.Sprint("/order?c=", i%2000)
		case i%50 == 7:
			return fmt.Sprint("/newest?c=", i%2000)
		}
		return fmt.Sprint("/orders?c=", i*7%2000)
	}})
}
