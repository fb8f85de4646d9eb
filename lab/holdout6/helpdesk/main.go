// Helpdesk shows agents their tickets, and on every page how many are open in their team.
package main

import (
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"strconv"

	"github.com/labstack/echo/v4"

	"github.com/gocasebook/casebook/lab/holdout6/internal/drive"
)

type server struct{ tickets *ticketRepo }

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	repo, err := openRepo()
	if err != nil {
		log.Fatal(err)
	}
	s := server{tickets: repo}
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.GET("/teams/:team/badge", s.badge)
	e.GET("/tickets/:id", s.ticket)
	e.PUT("/tickets/:id/close", s.close)
	e.GET("/debug/pprof/*", echo.WrapHandler(http.DefaultServeMux))
	log.Fatal(e.Start(p.Main()))
}

// badge is the number beside the bell.
func (s server) badge(c echo.Context) error {
	open, urgent, err := s.tickets.CountOpen(c.Request().Context(), c.Param("team"))
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, map[string]int{"open": open, "urgent": urgent})
}

func (s server) ticket(c echo.Context) error {
	id, err := strconv.Atoi(c.Param("id"))
	if err != nil {
		return echo.NewHTTPError(http.StatusBadRequest, "id")
	}
	t, err := s.tickets.Get(c.Request().Context(), id)
	if err != nil {
		return echo.NewHTTPError(http.StatusNotFound, err.Error())
	}
	return c.JSON(http.StatusOK, t)
}

func (s server) close(c echo.Context) error {
	id, err := strconv.Atoi(c.Param("id"))
	if err != nil {
		return echo.NewHTTPError(http.StatusBadRequest, "id")
	}
	return s.tickets.Close(c.Request().Context(), id)
}

func load(p drive.Ports) {
	drive.Load{Rate: 90}.Run(func(i int) *http.Request {
		switch i % 6 {
		case 0:
			return drive.Get(p.Main(), "/teams/team-%d/badge", i/6%8)
		case 1:
			return drive.Send(http.MethodPut, p.Main(), fmt.Sprintf("/tickets/%d/close", 1+i*13%200), "")
		}
		return drive.Get(p.Main(), "/tickets/%d", 1+i*31%9000)
	})
}
