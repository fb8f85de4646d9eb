// Livefeed streams the goals and cards of a match day to browsers.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/gocasebook/casebook/lab/holdout5/internal/drive"
)

func main() {
	p := drive.Flags()
	if p.Load {
		viewers(p)
		load(p)
	}
	day := newMatchDay(18)
	go day.play(context.Background())
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	s := &server{day}
	e.GET("/matches", s.matches)
	e.GET("/matches/:id/events", s.stream)
	e.Any("/debug/pprof/*", echo.WrapHandler(http.DefaultServeMux))
	log.Fatal(e.Start(p.Main()))
}

// viewers watch a match for a second or three, then another.
func viewers(p drive.Ports) {
	drive.Await(p.Main())
	for v := range 50 {
		go func() {
			for i := v; ; i++ {
				ctx, cancel := context.WithTimeout(context.Background(), time.Duration(1000+i*37%2000)*time.Millisecond)
				res, err := http.DefaultClient.Do(drive.Get(p.Main(), "/matches/%d/events", i%18).WithContext(ctx))
				if err == nil {
					io.Copy(io.Discard, res.Body)
					res.Body.Close()
				}
				cancel()
			}
		}()
	}
}

func load(p drive.Ports) {
	drive.Load{Rate: 150}.Run(func(int) *http.Request { return drive.Get(p.Main(), "/matches") })
}

type server struct{ day *matchDay }

func (s *server) matches(c echo.Context) error { return c.JSON(http.StatusOK, s.day.table()) }

// stream sends the events of a match as they happen.
func (s *server) stream(c echo.Context) error {
	var id int
	if _, err := fmt.Sscan(c.Param("id"), &id); err != nil {
		return echo.ErrNotFound
	}
	m, ok := s.day.match(id)
	if !ok {
		return echo.ErrNotFound
	}
	res := c.Response()
	res.Header().Set(echo.HeaderContentType, "text/event-stream")
	res.Header().Set(echo.HeaderCacheControl, "no-cache")
	res.WriteHeader(http.StatusOK)
	events, leave := m.follow()
	defer leave()
	for e := range events {
		fmt.Fprintf(res, "event: %s\ndata: %s\n\n", e.Kind, e.Text)
		res.Flush()
	}
	return nil
}
