// Standby wakes couriers for jobs: each courier's app holds a long poll of up to 25 seconds.
package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	_ "net/http/pprof"
	"strconv"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"github.com/gocasebook/casebook/lab/holdout3/internal/drive"
)

type Job struct {
	ID     int    `json:"id"`
	Pickup string `json:"pickup"`
	Fee    int    `json:"fee"`
}

// Dispatcher has a mailbox for each courier that waits.
type Dispatcher struct {
	mu      sync.Mutex
	waiting map[int]chan Job
	open    map[int]Job // jobs that nobody waited for, at most one a courier
}

func (d *Dispatcher) offer(courier int, j Job) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if box, ok := d.waiting[courier]; ok {
		delete(d.waiting, courier)
		box <- j // it has room for one
		return true
	}
	d.open[courier] = j
	return false
}

func (d *Dispatcher) enter(courier int) (Job, chan Job, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if j, ok := d.open[courier]; ok {
		delete(d.open, courier)
		return j, nil, true
	}
	box := make(chan Job, 1)
	d.waiting[courier] = box
	return Job{}, box, false
}

func (d *Dispatcher) leave(courier int, box chan Job) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.waiting[courier] == box {
		delete(d.waiting, courier)
	}
}

// Next waits for a job.
func (d *Dispatcher) Next(ctx context.Context, courier int, patience time.Duration) (Job, bool) {
	j, box, ok := d.enter(courier)
	if ok {
		return j, true
	}
	defer d.leave(courier, box)
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case j := <-box:
		return j, true
	case <-timer.C:
	case <-ctx.Done():
	}
	return Job{}, false
}

func (d *Dispatcher) poll(c echo.Context) error {
	courier, err := strconv.Atoi(c.Param("courier"))
	if err != nil {
		return echo.ErrNotFound
	}
	j, ok := d.Next(c.Request().Context(), courier, 25*time.Second)
	if !ok {
		return c.NoContent(http.StatusNoContent)
	}
	return c.JSON(http.StatusOK, j)
}

func (d *Dispatcher) post(c echo.Context) error {
	var j Job
	if err := c.Bind(&j); err != nil {
		return err
	}
	courier, err := strconv.Atoi(c.Param("courier"))
	if err != nil {
		return echo.ErrNotFound
	}
	return c.JSON(http.StatusAccepted, echo.Map{"delivered": d.offer(courier, j)})
}

const couriers = 2500

func poll(client *http.Client, addr string, courier int) {
	for {
		res, err := client.Get(fmt.Sprintf("http://%s/couriers/%d/next", addr, courier))
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		io.Copy(io.Discard, res.Body)
		res.Body.Close()
	}
}

func load(p drive.Ports) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: couriers}}
	for courier := range couriers {
		go poll(client, p.Main(), courier)
	}
	drive.HTTP(1200, func(i int) *http.Request {
		job := fmt.Sprintf(`{"id":%d,"pickup":"Canal Street %d","fee":%d}`, i, i%300, 350+i%400)
		return drive.Send(http.MethodPost, p.Main(), fmt.Sprintf("/couriers/%d/jobs", i*37%couriers), job)
	})
}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	d := &Dispatcher{waiting: make(map[int]chan Job), open: make(map[int]Job)}
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.Use(middleware.Recover())
	e.GET("/couriers/:courier/next", d.poll)
	e.POST("/couriers/:courier/jobs", d.post)
	e.GET("/debug/pprof/*", echo.WrapHandler(http.DefaultServeMux))
	e.Logger.Fatal(e.Start(p.Main()))
}
