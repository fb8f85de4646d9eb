package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
)

const schema = `
CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author TEXT NOT NULL, copies INTEGER NOT NULL);
CREATE TABLE loans (
	id INTEGER PRIMARY KEY,
	book INTEGER NOT NULL REFERENCES books (id),
	member INTEGER NOT NULL,
	due INTEGER NOT NULL
);
CREATE INDEX loans_member ON loans (member, due);
CREATE INDEX loans_book ON loans (book);`

var errGone = errors.New("no such book, or none left")

type book struct {
	ID     int    `db:"id" json:"id"`
	Title  string `db:"title" json:"title"`
	Author string `db:"author" json:"author"`
	Copies int    `db:"copies" json:"copies"`
}

type loan struct {
	ID     int   `db:"id" json:"id"`
	Book   int   `db:"book" json:"book"`
	Member int   `db:"member" json:"member"`
	Due    int64 `db:"due" json:"due"`
}

type store struct{ read, write *sqlx.DB }

func (s *store) book(ctx context.Context, id int) (b book, err error) {
	err = s.read.GetContext(ctx, &b, `SELECT * FROM books WHERE id = ?`, id)
	if errors.Is(err, sql.ErrNoRows) {
		err = errGone
	}
	return b, err
}

func (s *store) loansOf(ctx context.Context, member int) (list []loan, err error) {
	return list, s.read.SelectContext(ctx, &list,
		`SELECT * FROM loans WHERE member = ? ORDER BY due DESC LIMIT 20`, member)
}

// lend takes a copy, or none if the member has it from the next reader's hands: one transaction.
func (s *store) lend(ctx context.Context, l loan) error {
	tx, err := s.write.BeginTxx(ctx, nil)
	if err != nil {
		return fmt.Errorf("lending: %w", err)
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, `UPDATE books SET copies = copies - 1 WHERE id = ? AND copies > 0`, l.Book)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errGone, err)
	}
	due := time.Now().AddDate(0, 0, 28).Unix()
	if _, err := tx.ExecContext(ctx, `INSERT INTO loans (book, member, due) VALUES (?, ?, ?)`,
		l.Book, l.Member, due); err != nil {
		return err
	}
	return tx.Commit()
}

func (s *store) fill(books, members int) error {
	tx := s.write.MustBegin()
	defer tx.Rollback()
	tx.MustExec(schema)
	for i := range books {
		tx.MustExec(`INSERT INTO books VALUES (?, ?, ?, 900)`, i, fmt.Sprintf("Book %d", i), fmt.Sprintf("A. N. %d", i%300))
	}
	for i := range members * 5 {
		tx.MustExec(`INSERT INTO loans (book, member, due) VALUES (?, ?, ?)`, i*37%books, i%members, 1_760_000_000+i)
	}
	return tx.Commit()
}
