// Web is a small JSON API over gin, echo or chi (-kind), with the middleware that their guides use.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	chimw "github.com/go-chi/chi/v5/middleware"
	"github.com/labstack/echo/v4"
	echomw "github.com/labstack/echo/v4/middleware"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

type article struct {
	ID     int      `json:"id"`
	Title  string   `json:"title"`
	Author string   `json:"author"`
	Tags   []string `json:"tags"`
}

func find(id int) article {
	return article{id, fmt.Sprint("Article ", id), "someone", []string{"a", "b", "c"}}
}

func withGin() http.Handler {
	gin.SetMode(gin.ReleaseMode)
	gin.DefaultWriter = io.Discard
	r := gin.New()
	r.Use(gin.Logger(), gin.Recovery())
	r.GET("/articles/:id", func(c *gin.Context) {
		id, err := strconv.Atoi(c.Param("id"))
		if err != nil {
			c.AbortWithStatus(http.StatusBadRequest)
			return
		}
		c.JSON(http.StatusOK, find(id))
	})
	return r
}

func withEcho() http.Handler {
	e := echo.New()
	e.Use(echomw.RequestID(), echomw.Recover(), echomw.Gzip())
	e.GET("/articles/:id", func(c echo.Context) error {
		id, err := strconv.Atoi(c.Param("id"))
		if err != nil {
			return echo.ErrBadRequest
		}
		return c.JSON(http.StatusOK, find(id))
	})
	return e
}

func withChi() http.Handler {
	r := chi.NewRouter()
	r.Use(chimw.RequestID, chimw.RealIP, chimw.Recoverer, chimw.Timeout(5*time.Second))
	r.Get("/articles/{id}", func(w http.ResponseWriter, r *http.Request) {
		id, err := strconv.Atoi(chi.URLParam(r, "id"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(find(id))
	})
	return r
}

func start(o serve.Options) error {
	h := withChi()
	switch o.Kind {
	case "gin":
		h = withGin()
	case "echo":
		h = withEcho()
	}
	http.Handle("/articles/", h)
	return nil
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 2500,
		Path: func(i int) string { return fmt.Sprint("/articles/", i%1000) }})
}
