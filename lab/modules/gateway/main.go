// Gateway is a server of devices: a goroutine for each connection, a line for each reading, the newest in Redis.
package main

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

type gateway struct{ rdb *redis.Client }

func (g *gateway) device(c net.Conn) {
	defer c.Close()
	in := bufio.NewScanner(c)
	for in.Scan() {
		id, value, ok := strings.Cut(in.Text(), " ")
		if !ok {
			fmt.Fprintln(c, "what?")
			continue
		}
		if err := g.rdb.Set(context.Background(), "device:"+id, value, time.Hour).Err(); err != nil {
			log.Print(err)
			return
		}
		fmt.Fprintln(c, "ok")
	}
}

func start(o serve.Options) error {
	g := &gateway{redis.NewClient(&redis.Options{Addr: o.Backend, PoolSize: 50})}
	l, err := net.Listen("tcp", o.Own())
	if err != nil {
		return err
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				log.Fatal(err)
			}
			go g.device(c)
		}
	}()
	http.HandleFunc("/healthz", func(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, "ok") })
	return nil
}

// load is 100 devices with 25 readings a second each, which connect again after a minute, and a check of health.
func load(o serve.Options) {
	for i := range 100 {
		go func() {
			for {
				device(o.Own(), i)
			}
		}()
	}
	for range time.Tick(200 * time.Millisecond) {
		if res, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/healthz", o.Port)); err == nil {
			res.Body.Close()
		}
	}
}

func device(addr string, id int) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		time.Sleep(time.Second)
		return
	}
	defer c.Close()
	in := bufio.NewReader(c)
	for i := range 1500 {
		if _, err := fmt.Fprintf(c, "%d %d\n", id, i); err != nil {
			return
		}
		if _, err := in.ReadString('\n'); err != nil {
			return
		}
		time.Sleep(40 * time.Millisecond)
	}
}

func main() { serve.Run(serve.Service{Start: start, Load: load, Backend: serve.RedisServer}) }
