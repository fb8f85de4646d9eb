// Tidyup keeps the carts of guests. Carts that nobody touches go: a shard at a time, so that no request waits for it.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/robfig/cron/v3"

	"github.com/gocasebook/casebook/lab/holdout5/internal/drive"
)

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	carts := newCarts(15 * time.Second)
	go carts.tidy(context.Background(), 40*time.Millisecond)
	report := &report{carts: carts}
	jobs := cron.New()
	if _, err := jobs.AddFunc("@every 4s", report.write); err != nil {
		log.Fatal(err)
	}
	jobs.Start()

	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.GET("/carts/:id", func(c echo.Context) error { return c.JSON(http.StatusOK, carts.get(c.Param("id"))) })
	e.PUT("/carts/:id", func(c echo.Context) error {
		var l line
		if err := json.NewDecoder(c.Request().Body).Decode(&l); err != nil {
			return echo.NewHTTPError(http.StatusBadRequest, err.Error())
		}
		return c.JSON(http.StatusOK, carts.put(c.Param("id"), l))
	})
	e.GET("/report", func(c echo.Context) error { return c.JSON(http.StatusOK, report.last.Load()) })
	e.GET("/debug/pprof/*", echo.WrapHandler(http.DefaultServeMux))
	log.Fatal(e.Start(p.Main()))
}

func load(p drive.Ports) {
	drive.Load{Rate: 500}.Run(func(i int) *http.Request {
		id := strconv.Itoa(i / 3)
		if i%3 == 2 {
			return drive.Get(p.Main(), "/carts/%s", id)
		}
		return drive.Send(http.MethodPut, p.Main(), "/carts/"+id,
			fmt.Sprintf(`{"sku":"S%d","count":1,"price":%d}`, i*i%900, 100+i%5000))
	})
}
