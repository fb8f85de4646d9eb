// Frontpage serves a shop's pages: what is on them comes from a content system and is kept for a moment.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/http/pprof"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/gocasebook/casebook/lab/holdout5/internal/drive"
)

func main() {
	p := drive.Flags()
	if p.Load {
		content(p)
		load(p)
	}
	pages := NewPages(NewCMS("http://" + p.Dependency()))
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	r.GET("/", pages.front)
	r.GET("/sections/:name", pages.section)
	debug := r.Group("/debug/pprof")
	debug.GET("/", gin.WrapF(pprof.Index))
	debug.GET("/:name", func(c *gin.Context) {
		switch c.Param("name") {
		case "cmdline":
			pprof.Cmdline(c.Writer, c.Request)
		case "profile":
			pprof.Profile(c.Writer, c.Request)
		case "trace":
			pprof.Trace(c.Writer, c.Request)
		case "symbol":
			pprof.Symbol(c.Writer, c.Request)
		default:
			pprof.Index(c.Writer, c.Request)
		}
	})
	log.Fatal(r.Run(p.Main()))
}

// content plays the content system: the more it is asked at once, the longer it takes.
func content(p drive.Ports) {
	var list []teaser
	for i := range 1500 {
		list = append(list, teaser{ID: i, Title: fmt.Sprintf("Offer %d of the week", i), Section: sections[i%len(sections)],
			Text: strings.Repeat("Now cheaper. ", 8), Rank: i * 7919 % 1500})
	}
	body, _ := json.Marshal(list)
	var busy atomic.Int64
	drive.Serve(p.Dependency(), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := busy.Add(1)
		defer busy.Add(-1)
		time.Sleep(90*time.Millisecond + time.Duration(n)*4*time.Millisecond)
		w.Write(body)
	}))
}

func load(p drive.Ports) {
	drive.Load{Rate: 180, Callers: 200}.Run(func(i int) *http.Request {
		if i%6 == 0 {
			return drive.Get(p.Main(), "/sections/%s", sections[i/6%len(sections)])
		}
		return drive.Get(p.Main(), "/")
	})
}
