package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/nats-io/nats.go"
)

// Subjects.
const (
	subjectPlaced   = "orders.placed"
	subjectAssigned = "orders.assigned"
)

type order struct {
	ID    int      `json:"id"`
	Shop  int      `json:"shop"`
	Lat   float64  `json:"lat"`
	Lon   float64  `json:"lon"`
	Items []string `json:"items"`
}

type assignment struct {
	Order   int       `json:"order"`
	Courier int       `json:"courier"`
	ETA     time.Time `json:"eta"`
}

type consumer struct {
	nc     *nats.Conn
	fleet  *fleet
	routes *router
}

// subscribe shares the orders with the other instances of the service.
func (c *consumer) subscribe(ctx context.Context) error {
	_, err := c.nc.QueueSubscribe(subjectPlaced, "couriers", func(m *nats.Msg) {
		if err := c.handle(ctx, m); err != nil {
			slog.Warn("order not assigned", "err", err)
		}
	})
	return err
}

func (c *consumer) handle(ctx context.Context, m *nats.Msg) error {
	var o order
	if err := json.Unmarshal(m.Data, &o); err != nil {
		return fmt.Errorf("reading an order: %w", err)
	}
	courier := c.fleet.nearest(o.Lat, o.Lon)
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	way, err := c.routes.route(ctx, courier, o)
	if err != nil {
		return fmt.Errorf("order %d: %w", o.ID, err)
	}
	c.fleet.assign(courier, o, way)
	out, err := json.Marshal(assignment{o.ID, courier, time.Now().Add(time.Duration(way.Seconds) * time.Second)})
	if err != nil {
		return err
	}
	return c.nc.Publish(subjectAssigned, out)
}

type route struct {
	Metres  int `json:"metres"`
	Seconds int `json:"seconds"`
}

// router asks the routing service.
type router struct {
	base string
	http *http.Client
}

func newRouter(base string) *router {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = 32
	return &router{base, &http.Client{Transport: t}}
}

func (r *router) route(ctx context.Context, courier int, o order) (way route, err error) {
	url := fmt.Sprintf("%s/route?courier=%d&lat=%f&lon=%f", r.base, courier, o.Lat, o.Lon)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return way, err
	}
	res, err := r.http.Do(req)
	if err != nil {
		return way, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return way, fmt.Errorf("routing said %s", res.Status)
	}
	return way, json.NewDecoder(res.Body).Decode(&way)
}
