// Intake receives the webhooks of partners.
package main

import (
	"fmt"
	"io"
	"net/http"
	_ "net/http/pprof"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"github.com/gocasebook/casebook/lab/holdout4/internal/drive"
)

// totals is what came in, by partner and country.
type totals struct {
	mu    sync.Mutex
	cents map[[2]string]int
}

func (t *totals) add(partner string, o *Order) {
	sum := 0
	for _, it := range o.Items {
		sum += it.Count * it.Cents
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cents[[2]string{partner, o.Ship.Country}] += sum
}

type handler struct{ totals *totals }

func (h *handler) receive(c echo.Context) error {
	body, err := io.ReadAll(http.MaxBytesReader(c.Response(), c.Request().Body, 1<<20))
	if err != nil {
		return echo.NewHTTPError(http.StatusRequestEntityTooLarge)
	}
	e, err := parse(body)
	if err != nil {
		return echo.NewHTTPError(http.StatusBadRequest, err.Error())
	}
	o, err := e.order()
	if err == nil {
		err = o.validate()
	}
	if err != nil {
		return echo.NewHTTPError(http.StatusUnprocessableEntity, err.Error())
	}
	h.totals.add(e.Partner, o)
	return c.NoContent(http.StatusAccepted)
}

func (h *handler) report(c echo.Context) error {
	h.totals.mu.Lock()
	defer h.totals.mu.Unlock()
	out := map[string]int{}
	for k, v := range h.totals.cents {
		out[k[0]+"/"+k[1]] = v
	}
	return c.JSON(http.StatusOK, out)
}

// webhook is an order as a partner sends it.
func webhook(i int) string {
	var b strings.Builder
	number, partner := "number", "fastshop"
	if i%2 == 0 {
		number, partner = "order_no", "oldmart"
	}
	fmt.Fprintf(&b, `{"type":"order.created","partner":%q,"data":{%q:"%08d",`, partner, number, i)
	for _, a := range []string{"ship_to", "bill_to"} {
		fmt.Fprintf(&b, `%q:{"name":"Mia %d","street":"Long Road %d","zip":"%05d","country":"%s"},`, a, i, i%200, i%99999,
			[]string{"DE", "FR", "PL"}[i%3])
	}
	b.WriteString(`"comment":"leave it with the neighbours","items":[`)
	for k := range 30 + i%40 {
		if k > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"sku":"A-%d","count":%d,"cents":%d,"attrs":{"colour":"red","size":"%d","gift":"no"}}`, k*17, k%3+1,
			k*99, k)
	}
	b.WriteString("]}}")
	return b.String()
}

func main() {
	p := drive.Flags()
	if p.Load {
		bodies := make([]string, 64)
		for i := range bodies {
			bodies[i] = webhook(i)
		}
		drive.HTTP(420, func(i int) *http.Request {
			if i%800 == 0 {
				return drive.Get(p.Main(), "/report")
			}
			return drive.Send(http.MethodPost, p.Main(), "/webhooks", bodies[i%len(bodies)])
		})
	}
	h := &handler{&totals{cents: map[[2]string]int{}}}
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.Use(middleware.Recover())
	e.POST("/webhooks", h.receive)
	e.GET("/report", h.report)
	e.Any("/debug/pprof/*", echo.WrapHandler(http.DefaultServeMux))
	e.Logger.Fatal(e.Start(p.Main()))
}
