// Counters takes events from devices over UDP and tells statsd of each, by cactus/go-statsd-client.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net"
	"sync/atomic"
	"time"

	"github.com/cactus/go-statsd-client/v5/statsd"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

type event struct {
	Device string  `json:"device"`
	Kind   string  `json:"kind"`
	Value  float64 `json:"value"`
}

func start(o serve.Options) error {
	in, err := net.ListenPacket("udp", o.Own())
	if err != nil {
		return err
	}
	stats, err := statsd.NewClientWithConfig(&statsd.ClientConfig{Address: o.Backend, Prefix: "devices"})
	if err != nil {
		return err
	}
	go func() {
		b := make([]byte, 2048)
		for {
			n, _, err := in.ReadFrom(b)
			if err != nil {
				log.Fatal(err)
			}
			var e event
			if err := json.Unmarshal(b[:n], &e); err != nil {
				stats.Inc("bad", 1, 1)
				continue
			}
			stats.Inc(e.Kind, 1, 1)
		}
	}()
	return nil
}

func backend() (string, func(), error) {
	c, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	go func() {
		for b := make([]byte, 2048); ; {
			if _, _, err := c.ReadFrom(b); err != nil {
				return
			}
		}
	}()
	return c.LocalAddr().String(), func() { c.Close() }, nil
}

func load(o serve.Options) {
	var n atomic.Int64
	for range 8 {
		go func() {
			c, err := net.Dial("udp", o.Own())
			if err != nil {
				log.Fatal(err)
			}
			for range time.Tick(4 * time.Millisecond) {
				for range 40 {
					fmt.Fprintf(c, `{"device":"d%d","kind":"beat","value":%d}`, n.Add(1)%1000, n.Load()%77)
				}
			}
		}()
	}
	select {}
}

func main() { serve.Run(serve.Service{Start: start, Load: load, Backend: backend}) }
