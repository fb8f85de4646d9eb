package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
)

var errRefused = errors.New("refused")

// A book is the accounts in the database.
type book struct {
	db       *sql.DB
	fraudURL string
	client   *http.Client
}

func openBook(dsn, fraudURL string) (*book, error) {
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		return nil, fmt.Errorf("opening the database: %w", err)
	}
	db.SetMaxOpenConns(10)
	db.SetMaxIdleConns(10)
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 20
	return &book{db: db, fraudURL: fraudURL, client: &http.Client{Transport: transport, Timeout: 10 * time.Second}}, nil
}

// book writes a payment to the account, unless it is a fraud.
func (b *book) book(ctx context.Context, p payment) error {
	tx, err := b.db.BeginTx(ctx, nil) // trial:fault
	if err != nil {
		return fmt.Errorf("beginning: %w", err)
	}
	defer tx.Rollback() // does nothing after Commit
	var id, cents int64
	var name string
	if err := tx.QueryRowContext(ctx, "select id, name, amount from accounts where name = $1 limit 1", p.Account).
		Scan(&id, &name, &cents); err != nil {
		return fmt.Errorf("finding the account: %w", err)
	}
	score, err := b.fraudScore(ctx, p) // trial:fault
	if err != nil {
		return fmt.Errorf("asking the fraud service: %w", err)
	}
	if score > 0.999 {
		return errRefused
	}
	if _, err := tx.ExecContext(ctx, "update accounts set amount = amount + $1 where id = $2", p.Cents,
		id); err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	return tx.Commit()
}

func (b *book) balance(ctx context.Context, account string) (cents int64, err error) {
	var id int64
	var name string
	err = b.db.QueryRowContext(ctx, "select id, name, amount from accounts where name = $1 limit 1", account).
		Scan(&id, &name, &cents)
	return cents, err
}

func (b *book) fraudScore(ctx context.Context, p payment) (float64, error) {
	url := fmt.Sprintf("%s/score/%s?cents=%d", b.fraudURL, p.Account, p.Cents)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, err
	}
	resp, err := b.client.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("it answers %s", resp.Status)
	}
	var answer struct {
		Score float64 `json:"score"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		return 0, err
	}
	return answer.Score, nil
}
