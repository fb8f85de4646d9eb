// Presence notes who was seen in which rooms, over redigo behind gin.
package main

import (
	"fmt"
	"log"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/gomodule/redigo/redis"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

type presence struct {
	pool *redis.Pool
	jobs chan sighting // of the kind with workers
}

type sighting struct{ room, user int }

// touch is one command.
func (p *presence) touch(room, user int) {
	c := p.pool.Get()
	defer c.Close()
	if _, err := c.Do("SETEX", "room:"+strconv.Itoa(room)+":"+strconv.Itoa(user), 600, time.Now().Unix()); err != nil {
		log.Print(err)
	}
}

// worker sends what has gathered in one pipeline.
func (p *presence) worker() {
	for s := range p.jobs {
		c := p.pool.Get()
		n := 0
		for more := true; more && n < 200; {
			c.Send("SETEX", "room:"+strconv.Itoa(s.room)+":"+strconv.Itoa(s.user), 600, time.Now().Unix())
			n++
			select {
			case s = <-p.jobs:
			default:
				more = false
			}
		}
		if _, err := c.Do(""); err != nil {
			log.Print(err)
		}
		c.Close()
	}
}

func start(o serve.Options) error {
	p := &presence{pool: &redis.Pool{MaxIdle: 32, MaxActive: 32, Wait: true,
		Dial: func() (redis.Conn, error) { return redis.Dial("tcp", o.Backend) }},
		jobs: make(chan sighting, 10_000)}
	if o.Kind == "workers" {
		for range 2 {
			go p.worker()
		}
	}
	gin.SetMode(gin.ReleaseMode)
	g := gin.New()
	g.POST("/beat/:user", func(c *gin.Context) {
		user, err := strconv.Atoi(c.Param("user"))
		if err != nil {
			c.String(http.StatusBadRequest, "user is a number")
			return
		}
		for i := range 12 { // the rooms that are open in the client
			room := (user*31 + i) % 400
			if o.Kind == "workers" {
				p.jobs <- sighting{room, user}
			} else {
				go p.touch(room, user)
			}
		}
		c.JSON(http.StatusOK, gin.H{"user": user, "rooms": 12})
	})
	http.Handle("/beat/", g)
	return nil
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 2000, Method: http.MethodPost, Backend: serve.RedisServer,
		Path: func(i int) string { return fmt.Sprint("/beat/", i*7919%20000) }})
}
