package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// What a customer may do about.
var (
	ErrFare  = errors.New("the fare has changed")
	ErrTaken = errors.New("the seat is taken")
)

// A Booking is a seat of a train.
type Booking struct {
	ID    int64 `json:"id"`
	Train int   `json:"train"`
	Seat  int   `json:"seat"`
	Fare  int   `json:"fare"`
}

// A Store has the bookings.
type Store struct {
	db *sql.DB
}

func openStore() (*Store, error) {
	dir, err := os.MkdirTemp("", "bookings-")
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "bookings.db")+
		"?_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_pragma=busy_timeout(5000)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(25)
	db.SetMaxIdleConns(25)
	_, err = db.Exec(`CREATE TABLE seats (id INTEGER PRIMARY KEY, train INTEGER, seat INTEGER, fare INTEGER);
		CREATE UNIQUE INDEX seats_train ON seats (train, seat);
		CREATE TABLE fares (train INTEGER PRIMARY KEY, fare INTEGER);`)
	if err != nil {
		return nil, fmt.Errorf("creating the tables: %w", err)
	}
	for train := range 50 {
		if _, err := db.Exec(`INSERT INTO fares VALUES (?, 2900)`, train); err != nil {
			return nil, err
		}
	}
	return &Store{db: db}, nil
}

// Free is how many seats of a train are free.
func (s *Store) Free(ctx context.Context, train int) (n int, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT 800 - count(*) FROM seats WHERE train = ?`, train).Scan(&n)
	return n, err
}

// Book reserves a seat at the fare of today.
func (s *Store) Book(ctx context.Context, b *Booking) error {
	tx, err := s.db.Begin()
	if err != nil {
		return fmt.Errorf("booking: %w", err)
	}
	var fare int
	if err := tx.QueryRowContext(ctx, `SELECT fare FROM fares WHERE train = ?`, b.Train).Scan(&fare); err != nil {
		tx.Rollback()
		return fmt.Errorf("asking for the fare of %d: %w", b.Train, err)
	}
	if fare != b.Fare {
		return fmt.Errorf("train %d: %w: %d", b.Train, ErrFare, fare)
	}
	res, err := tx.ExecContext(ctx, `INSERT INTO seats (train, seat, fare) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
		b.Train, b.Seat, b.Fare)
	if err != nil {
		tx.Rollback()
		return fmt.Errorf("reserving: %w", err)
	}
	if n, _ := res.RowsAffected(); n == 0 {
		tx.Rollback()
		return ErrTaken
	}
	b.ID, _ = res.LastInsertId()
	return tx.Commit()
}
