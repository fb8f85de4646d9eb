// Couriers assigns orders to couriers: orders come over NATS, the way to the customer is asked from a routing service.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/gocasebook/casebook/lab/holdout5/internal/drive"
)

func main() {
	p := drive.Flags()
	if p.Load {
		dependencies(p)
		load(p)
	}
	if err := run(p); err != nil {
		slog.Error("couriers", "err", err)
		os.Exit(1)
	}
}

func run(p drive.Ports) error {
	nc, err := nats.Connect("nats://"+p.Dependency(), nats.RetryOnFailedConnect(true),
		nats.MaxReconnects(-1), nats.ReconnectWait(100*time.Millisecond), nats.Name("couriers"))
	if err != nil {
		return fmt.Errorf("connecting to NATS: %w", err)
	}
	defer nc.Drain()
	fleet := newFleet(300)
	c := &consumer{nc: nc, fleet: fleet, routes: newRouter("http://" + p.Second())}
	if err := c.subscribe(context.Background()); err != nil {
		return fmt.Errorf("subscribing: %w", err)
	}
	http.HandleFunc("GET /couriers", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(fleet.board())
	})
	return http.ListenAndServe(p.Main(), nil)
}

// dependencies are NATS and the routing service.
func dependencies(p drive.Ports) {
	_, port, _ := net.SplitHostPort(p.Dependency())
	n, _ := strconv.Atoi(port)
	ns, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: n, NoSigs: true, NoLog: true})
	if err != nil {
		panic(err)
	}
	go ns.Start()
	routing := http.NewServeMux()
	routing.HandleFunc("GET /route", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(11 * time.Millisecond)
		json.NewEncoder(w).Encode(route{Metres: 1200, Seconds: 420})
	})
	drive.Serve(p.Second(), routing)
	ns.ReadyForConnections(5 * time.Second)
}

func load(p drive.Ports) {
	go func() {
		nc, err := nats.Connect("nats://" + p.Dependency())
		if err != nil {
			panic(err)
		}
		assigned := new(atomic.Int64)
		nc.Subscribe(subjectAssigned, func(*nats.Msg) { assigned.Add(1) })
		for i := 0; ; i++ {
			time.Sleep(8 * time.Millisecond)
			if i%600 == 599 {
				slog.Info("orders", "placed", i, "assigned", assigned.Load())
			}
			nc.Publish(subjectPlaced, fmt.Appendf(nil,
				`{"id":%d,"shop":%d,"lat":%f,"lon":%f,"items":["soup","bread"]}`, i, i%40, 52.5+float64(i%97)/1000, 13.3))
		}
	}()
	drive.Load{Rate: 140}.Run(func(int) *http.Request { return drive.Get(p.Main(), "/couriers") })
}
