// Library lends books. Readers and the one writer of SQLite have a pool of connections each.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"os"
	"path/filepath"
	"strconv"

	"github.com/gin-gonic/gin"
	"github.com/jmoiron/sqlx"
	_ "modernc.org/sqlite"

	"github.com/gocasebook/casebook/lab/holdout5/internal/drive"
)

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	s, err := open()
	if err != nil {
		log.Fatal(err)
	}
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	r.GET("/books/:id", func(c *gin.Context) {
		id, _ := strconv.Atoi(c.Param("id"))
		b, err := s.book(c.Request.Context(), id)
		answer(c, b, err)
	})
	r.GET("/members/:id/loans", func(c *gin.Context) {
		id, _ := strconv.Atoi(c.Param("id"))
		list, err := s.loansOf(c.Request.Context(), id)
		answer(c, list, err)
	})
	r.POST("/loans", func(c *gin.Context) {
		var in loan
		if err := json.NewDecoder(c.Request.Body).Decode(&in); err != nil {
			c.AbortWithError(http.StatusBadRequest, err)
			return
		}
		answer(c, gin.H{"lent": true}, s.lend(c.Request.Context(), in))
	})
	r.GET("/debug/pprof/*any", gin.WrapH(http.DefaultServeMux))
	log.Fatal(r.Run(p.Main()))
}

func answer(c *gin.Context, v any, err error) {
	switch {
	case errors.Is(err, errGone):
		c.AbortWithStatusJSON(http.StatusNotFound, gin.H{"error": err.Error()})
	case err != nil:
		c.AbortWithStatusJSON(http.StatusInternalServerError, gin.H{"error": err.Error()})
	default:
		c.JSON(http.StatusOK, v)
	}
}

func open() (*store, error) {
	dir, err := os.MkdirTemp("", "library-")
	if err != nil {
		return nil, err
	}
	dsn := "file:" + filepath.Join(dir, "library.db") +
		"?_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_pragma=busy_timeout(5000)"
	s := &store{}
	if s.write, err = sqlx.Open("sqlite", dsn+"&_txlock=immediate"); err != nil {
		return nil, err
	}
	s.write.SetMaxOpenConns(1)
	if s.read, err = sqlx.Open("sqlite", dsn); err != nil {
		return nil, err
	}
	s.read.SetMaxOpenConns(8)
	s.read.SetMaxIdleConns(8)
	return s, s.fill(4000, 900)
}

func load(p drive.Ports) {
	drive.Load{Rate: 220}.Run(func(i int) *http.Request {
		switch i % 10 {
		case 0:
			return drive.Send(http.MethodPost, p.Main(), "/loans",
				fmt.Sprintf(`{"book":%d,"member":%d}`, i*31%4000, i*7%900))
		case 1, 2, 3:
			return drive.Get(p.Main(), "/members/%d/loans", i*13%900)
		}
		return drive.Get(p.Main(), "/books/%d", i*17%4000)
	})
}
