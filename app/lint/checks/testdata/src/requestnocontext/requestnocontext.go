package requestnocontext

import (
	"context"
	"database/sql"
	"net/http"
)

func call(ctx context.Context, c *http.Client, url string) error {
	req, err := http.NewRequest("GET", url, nil) // want `pass the function's context on, with http.NewRequestWithContext`
	if err != nil {
		return err
	}
	_, err = c.Do(req)
	return err
}

func serve(w http.ResponseWriter, r *http.Request) {
	http.Get("http://localhost") // want `with http.NewRequestWithContext and Do`
}

func query(ctx context.Context, db *sql.DB) error {
	_, err := db.Query("SELECT 1") // want `with QueryContext`
	return err
}

func tx(ctx context.Context, t *sql.Tx) {
	t.Exec("DELETE FROM a") // want `with ExecContext`
}

// What follows is fine.

func passed(ctx context.Context, db *sql.DB, url string) {
	http.NewRequestWithContext(ctx, "GET", url, nil)
	db.QueryContext(ctx, "SELECT 1")
}

func later(ctx context.Context, url string) *http.Request {
	req, _ := http.NewRequest("GET", url, nil)
	return req.WithContext(ctx)
}

func none(url string) { http.Get(url) }

func unnamed(_ context.Context, url string) { http.Get(url) }

func background(ctx context.Context, url string) {
	go func() { http.Get(url) }()
	defer http.Get(url)
}

func old(ctx context.Context, url string) *http.Request {
	req, _ := http.NewRequest("GET", url, nil)
	req.Cancel = ctx.Done()
	return req
}
