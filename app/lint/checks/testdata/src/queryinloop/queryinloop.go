package queryinloop

import (
	"context"
	"database/sql"
)

type user struct {
	ID   int
	Name string
}

type store struct{ db *sql.DB }

func (s *store) names(ctx context.Context, ids []int) (out []string, err error) {
	for _, id := range ids {
		var name string
		if err := s.db.QueryRowContext(ctx, "SELECT name FROM users WHERE id = ?", id).Scan(&name); err != nil { // want `a query for each element`
			return nil, err
		}
		out = append(out, name)
	}
	return out, nil
}

func (s *store) get(id int) (*user, error) {
	u := &user{ID: id}
	err := s.db.QueryRow("SELECT name FROM users WHERE id = ?", id).Scan(&u.Name)
	return u, err
}

func (s *store) all(ids map[int]bool) (out []*user) {
	for id := range ids {
		u, err := s.get(id) // want `a query for each element`
		if err != nil {
			continue
		}
		out = append(out, u)
	}
	return out
}

func (s *store) fill(users []user) error {
	for i := range users {
		rows, err := s.db.Query("SELECT name FROM users WHERE id = ?", users[i].ID) // want `a query for each element`
		if err != nil {
			return err
		}
		rows.Close()
	}
	return nil
}

func count(tx *sql.Tx, tables []string) (n int) {
	for _, t := range tables {
		var k int
		tx.QueryRow("SELECT count(*) FROM " + t).Scan(&k) // want `a query for each element`
		n += k
	}
	return n
}

func byStatement(st *sql.Stmt, ids []int) (out []string) {
	for _, id := range ids {
		var name string
		st.QueryRow(id).Scan(&name) // want `a query for each element`
		out = append(out, name)
	}
	return out
}

// What follows is fine.

func (s *store) pages(ctx context.Context) error {
	for last := 0; ; {
		rows, err := s.db.QueryContext(ctx, "SELECT id FROM users WHERE id > ? LIMIT 1000", last)
		if err != nil {
			return err
		}
		rows.Close()
	}
}

func (s *store) first(ids []int) (name string) {
	for _, id := range ids {
		if id > 0 {
			s.db.QueryRow("SELECT name FROM users WHERE id = ?", id).Scan(&name)
			return name
		}
	}
	return ""
}

func (s *store) insert(tx *sql.Tx, users []user) error {
	for _, u := range users {
		if _, err := tx.Exec("INSERT INTO users VALUES (?, ?)", u.ID, u.Name); err != nil {
			return err
		}
	}
	return nil
}

func (s *store) update(tx *sql.Tx, users []user) error {
	for _, u := range users {
		if err := tx.QueryRow("UPDATE users SET name = ? WHERE id = ? RETURNING id", u.Name, u.ID).Scan(&u.ID); err != nil {
			return err
		}
	}
	return nil
}

func (s *store) once(ids []int) (*sql.Rows, error) {
	return s.db.Query("SELECT name FROM users WHERE id = ANY(?)", ids)
}

func migrateAll(db *sql.DB, tables []string) {
	for _, t := range tables {
		db.Query("SELECT * FROM " + t)
	}
}

func read(rows *sql.Rows) (out []int) {
	for rows.Next() {
		var id int
		rows.Scan(&id)
		out = append(out, id)
	}
	return out
}
