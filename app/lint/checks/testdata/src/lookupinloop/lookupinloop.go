package lookupinloop

import (
	"context"
	"database/sql"
)

type user struct {
	ID    int
	Name  string
	Roles []string
}

type users interface {
	GetUser(ctx context.Context, id int) (*user, error)
	DeleteUser(ctx context.Context, id int) error
	Refresh(ctx context.Context, u *user) error
}

func names(ctx context.Context, s users, ids []int) (out []string, err error) {
	for _, id := range ids {
		u, err := s.GetUser(ctx, id) // want `below this a database is asked, for each element`
		if err != nil {
			return nil, err
		}
		out = append(out, u.Name)
	}
	return out, nil
}

type row struct{ id int }

func (r *row) toUser(ctx context.Context, s users) *user {
	u, _ := s.GetUser(ctx, r.id)
	return u
}

func toAnswer(ctx context.Context, s users, r *row) *user { return r.toUser(ctx, s) }

func answer(ctx context.Context, s users, rows map[string]*row) (out []*user) {
	for _, r := range rows {
		out = append(out, toAnswer(ctx, s, r)) // want `ask for all of them at once`
	}
	return out
}

func readable(ctx context.Context, rows []row, can func(id int) bool, s users) (n int) {
	for i := range rows {
		if isReadable(ctx, s, rows[i].id) { // want `below this a database is asked`
			n++
		}
	}
	return n
}

func isReadable(ctx context.Context, s users, id int) bool {
	u, err := s.GetUser(ctx, id)
	return err == nil && len(u.Roles) > 0
}

// What follows is fine.

func drop(ctx context.Context, s users, ids []int) error {
	for _, id := range ids {
		if err := s.DeleteUser(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

func refreshAll(ctx context.Context, s users, all []*user) {
	for _, u := range all {
		_ = s.Refresh(ctx, u) // a job for each
	}
}

func first(ctx context.Context, s users, ids []int) *user {
	for _, id := range ids {
		if id > 0 {
			u, _ := s.GetUser(ctx, id)
			return u
		}
	}
	return nil
}

func same(ctx context.Context, s users, ids []int) (n int) {
	for range ids {
		u, _ := s.GetUser(ctx, 1)
		n += len(u.Roles)
	}
	return n
}

func direct(db *sql.DB, ids []int) (out []string) {
	for _, id := range ids {
		var name string
		db.QueryRow("SELECT name FROM users WHERE id = ?", id).Scan(&name) // queryinloop has it
		out = append(out, name)
	}
	return out
}

func later(ctx context.Context, s users, ids []int) {
	for _, id := range ids {
		go s.GetUser(ctx, id)
	}
}

func initUsers(ctx context.Context, s users, ids []int) {
	for _, id := range ids {
		s.GetUser(ctx, id)
	}
}
