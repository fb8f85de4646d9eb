package main

import (
	"database/sql"
	"errors"
	"fmt"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
)

var errNoSale = errors.New("no such sale")

type sale struct {
	ID     int64  `json:"id"`
	Name   string `json:"name"`
	Amount int64  `json:"amount"`
}

// sales is the table of that name.
type sales struct{ db *sql.DB }

func openSales(dsn string) (*sales, error) {
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		return nil, fmt.Errorf("opening the database: %w", err)
	}
	db.SetMaxOpenConns(25)
	db.SetMaxIdleConns(25)
	db.SetConnMaxLifetime(30 * time.Minute)
	return &sales{db: db}, nil
}

const byCustomer = "select id, name, amount from sales where customer = $1 order by id limit 200"

func (s *sales) total(customer string) (total int64, err error) {
	rows, err := s.db.Query(byCustomer, customer)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var one sale
		if err := rows.Scan(&one.ID, &one.Name, &one.Amount); err != nil {
			return 0, err
		}
		total += one.Amount
	}
	return total, rows.Err()
}

// firstAbove finds the first sale of a customer above an amount.
func (s *sales) firstAbove(customer string, amount int64) (*sale, error) {
	rows, err := s.db.Query(byCustomer, customer) // trial:fault
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		var one sale
		if err := rows.Scan(&one.ID, &one.Name, &one.Amount); err != nil {
			return nil, err
		}
		if one.Amount > amount {
			return &one, nil // trial:fault
		}
	}
	return nil, errNoSale
}
