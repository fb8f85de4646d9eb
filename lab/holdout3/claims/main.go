// Claims is an insurer's claims desk: policies and claims in SQLite, read through sqlx.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
	_ "modernc.org/sqlite"

	"github.com/gocasebook/casebook/lab/holdout3/internal/drive"
)

const schema = `
CREATE TABLE policies (id INTEGER PRIMARY KEY, holder TEXT NOT NULL, premium INTEGER NOT NULL);
CREATE TABLE claims (
	id INTEGER PRIMARY KEY,
	policy_id INTEGER NOT NULL REFERENCES policies (id),
	filed_at INTEGER NOT NULL,
	amount INTEGER NOT NULL,
	state TEXT NOT NULL
);
CREATE INDEX claims_filed_at ON claims (filed_at);`

type policy struct {
	ID      int    `db:"id" json:"id"`
	Holder  string `db:"holder" json:"holder"`
	Premium int    `db:"premium" json:"premium"`
}

type claim struct {
	ID       int    `db:"id" json:"id"`
	PolicyID int    `db:"policy_id" json:"policy_id"`
	FiledAt  int64  `db:"filed_at" json:"filed_at"`
	Amount   int    `db:"amount" json:"amount"`
	State    string `db:"state" json:"state"`
}

type store struct{ db *sqlx.DB }

func (s *store) policy(ctx context.Context, id int) (p policy, err error) {
	err = s.db.GetContext(ctx, &p, `SELECT * FROM policies WHERE id = ?`, id)
	return p, err
}

func (s *store) claimsOf(ctx context.Context, id int) (list []claim, err error) {
	err = s.db.SelectContext(ctx, &list, `SELECT * FROM claims WHERE policy_id = ? ORDER BY filed_at DESC`, id)
	return list, err
}

func (s *store) newest(ctx context.Context, n int) (list []claim, err error) {
	err = s.db.SelectContext(ctx, &list, `SELECT * FROM claims ORDER BY filed_at DESC LIMIT ?`, n)
	return list, err
}

func (s *store) file(ctx context.Context, c claim) error {
	_, err := s.db.NamedExecContext(ctx, `INSERT INTO claims (policy_id, filed_at, amount, state)
		VALUES (:policy_id, :filed_at, :amount, :state)`, c)
	return err
}

func (s *store) fill(policies, claims int) error {
	tx := s.db.MustBegin()
	defer tx.Rollback()
	tx.MustExec(schema)
	for i := range policies {
		tx.MustExec(`INSERT INTO policies VALUES (?, ?, ?)`, i, fmt.Sprintf("Holder %d", i), 10000+i%500)
	}
	for i := range claims {
		tx.MustExec(`INSERT INTO claims VALUES (?, ?, ?, ?, 'open')`, i, i*31%policies, 1_700_000_000+i, i%90000)
	}
	return tx.Commit()
}

type handlers struct{ *store }

func (h handlers) show(c echo.Context) error {
	id, err := strconv.Atoi(c.Param("id"))
	if err != nil {
		return echo.NewHTTPError(http.StatusBadRequest, "id must be a number")
	}
	p, err := h.policy(c.Request().Context(), id)
	if err != nil {
		return echo.ErrNotFound
	}
	claims, err := h.claimsOf(c.Request().Context(), id)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, echo.Map{"policy": p, "claims": claims})
}

func (h handlers) recent(c echo.Context) error {
	list, err := h.newest(c.Request().Context(), 400)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, list)
}

func (h handlers) create(c echo.Context) error {
	var in claim
	if err := c.Bind(&in); err != nil {
		return err
	}
	in.FiledAt, in.State = time.Now().Unix(), "open"
	if err := h.file(c.Request().Context(), in); err != nil {
		return err
	}
	return c.NoContent(http.StatusCreated)
}

func open() (*sqlx.DB, error) {
	dir, err := os.MkdirTemp("", "claims-")
	if err != nil {
		return nil, err
	}
	return sqlx.Open("sqlite", "file:"+filepath.Join(dir, "claims.db")+
		"?_pragma=journal_mode(WAL)&_pragma=synchronous(OFF)&_pragma=busy_timeout(5000)")
}

func load(p drive.Ports) {
	drive.HTTP(110, func(i int) *http.Request {
		switch i % 10 {
		case 0:
			body := fmt.Sprintf(`{"policy_id":%d,"amount":4500}`, i%2000)
			return drive.Send(http.MethodPost, p.Main(), "/claims", body)
		case 1, 2, 3, 4, 5:
			return drive.Get(p.Main(), "/claims")
		}
		return drive.Get(p.Main(), "/policies/%d", i*17%2000)
	})
}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	db, err := open()
	if err != nil {
		log.Fatal(err)
	}
	s := &store{db}
	if err := s.fill(2000, 12000); err != nil {
		log.Fatal(err)
	}
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.Use(middleware.Recover(), middleware.RequestID())
	h := handlers{s}
	e.GET("/policies/:id", h.show)
	e.GET("/claims", h.recent)
	e.POST("/claims", h.create)
	e.GET("/debug/pprof/*", echo.WrapHandler(http.DefaultServeMux))
	e.Logger.Fatal(e.Start(p.Main()))
}
