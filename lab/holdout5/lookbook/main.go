// Lookbook shows outfits and counts who likes them. All of it is in Redis.
package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
	"github.com/redis/go-redis/v9"

	"github.com/gocasebook/casebook/lab/holdout5/internal/drive"
)

// config is what the environment of the pod says.
type config struct {
	RedisAddr    string
	PoolSize     int
	PoolTimeout  time.Duration
	ReadTimeout  time.Duration
	MinIdleConns int
}

func defaults(addr string) config {
	return config{RedisAddr: addr, PoolSize: 3, MinIdleConns: 1, PoolTimeout: 4 * time.Second, ReadTimeout: time.Second}
}

func (c config) client() *redis.Client {
	return redis.NewClient(&redis.Options{
		Addr: c.RedisAddr, PoolSize: c.PoolSize, MinIdleConns: c.MinIdleConns,
		PoolTimeout: c.PoolTimeout, ReadTimeout: c.ReadTimeout, MaxRetries: 1,
	})
}

func main() {
	p := drive.Flags()
	if p.Load {
		store(p)
		load(p)
	}
	rdb := defaults(p.Dependency()).client()
	defer rdb.Close()
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.Use(middleware.Recover())
	h := handlers{looks: &repository{rdb}}
	e.GET("/looks/:id", h.show)
	e.GET("/looks", h.top)
	e.POST("/looks/:id/likes", h.like)
	e.GET("/debug/pprof/*", echo.WrapHandler(http.DefaultServeMux))
	log.Fatal(e.Start(p.Main()))
}

// store plays Redis, 8 ms away.
func store(p drive.Ports) {
	m := miniredis.NewMiniRedis()
	if err := m.StartAddr(p.Second()); err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	rdb := redis.NewClient(&redis.Options{Addr: p.Second()})
	for i := range 500 {
		rdb.HSet(ctx, key(i), "title", fmt.Sprintf("Look %d", i), "season", "autumn", "designer", "N. N.", "price", 19900+i)
		rdb.ZAdd(ctx, topKey, redis.Z{Score: float64(i % 37), Member: i})
	}
	l := drive.Listen("tcp", p.Dependency())
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				log.Fatal(err)
			}
			go far(c, p.Second(), 8*time.Millisecond)
		}
	}()
}

// far relays a connection; answers take a while longer.
func far(c net.Conn, addr string, d time.Duration) {
	defer c.Close()
	s, err := net.Dial("tcp", addr)
	if err != nil {
		return
	}
	defer s.Close()
	go func() {
		buf := make([]byte, 64<<10)
		for {
			n, err := s.Read(buf)
			if err != nil {
				c.Close()
				return
			}
			time.Sleep(d)
			c.Write(buf[:n])
		}
	}()
	buf := make([]byte, 64<<10)
	for {
		n, err := c.Read(buf)
		if err != nil {
			return
		}
		s.Write(buf[:n])
	}
}

func load(p drive.Ports) {
	drive.Load{Rate: 345, Callers: 96}.Run(func(i int) *http.Request {
		switch i % 8 {
		case 0:
			return drive.Get(p.Main(), "/looks?n=20")
		case 1:
			return drive.Send(http.MethodPost, p.Main(), fmt.Sprintf("/looks/%d/likes", i*31%500), "")
		}
		return drive.Get(p.Main(), "/looks/%d", i*17%500)
	})
}
