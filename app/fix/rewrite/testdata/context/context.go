// Package context asks others.
package context

import (
	"context"
	"database/sql"
	"net/http"
)

func get(ctx context.Context, url string) (*http.Request, error) {
	return http.NewRequest(http.MethodGet, url, nil)
}

func handler(db *sql.DB) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := db.Ping(); err != nil {
			return
		}
		rows, err := db.Query("SELECT 1")
		if err == nil {
			defer rows.Close()
		}
	}
}

// without has none.
func without(url string) (*http.Request, error) { return http.NewRequest(http.MethodGet, url, nil) }

// unnamed does not use it.
func unnamed(_ context.Context, url string) (*http.Request, error) {
	return http.NewRequest(http.MethodGet, url, nil)
}

// background goes on without its caller.
func background(ctx context.Context, url string) {
	go func() {
		http.NewRequest(http.MethodGet, url, nil)
	}()
}
