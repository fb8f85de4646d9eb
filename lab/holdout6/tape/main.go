// Tape sends prices to those who watch, over WebSockets. Who is too slow misses prices, and holds nobody up.
package main

import (
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/gorilla/websocket"

	"github.com/gocasebook/casebook/lab/holdout6/internal/drive"
)

var upgrader = websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }, WriteBufferPool: &writeBuffers}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	h := newHub()
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	r.Use(gin.Recovery())
	r.GET("/prices", func(c *gin.Context) {
		conn, err := upgrader.Upgrade(c.Writer, c.Request, nil)
		if err != nil {
			return
		}
		h.serve(conn)
	})
	r.PUT("/prices/:symbol", func(c *gin.Context) {
		var t tick
		if err := c.ShouldBindJSON(&t); err != nil {
			c.AbortWithStatusJSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		t.Symbol = c.Param("symbol")
		h.publish(t)
		c.Status(http.StatusAccepted)
	})
	r.GET("/debug/pprof/*any", gin.WrapH(http.DefaultServeMux))
	log.Fatal(r.Run(p.Main()))
}

// load is 250 watchers, of whom ten hardly read, and the exchange.
func load(p drive.Ports) {
	drive.Await(p.Main())
	for i := range 250 {
		go watch(p.Main(), i < 10)
	}
	drive.Load{Rate: 30}.Run(func(i int) *http.Request {
		return drive.Send(http.MethodPut, p.Main(), fmt.Sprintf("/prices/S%d", i%90),
			fmt.Sprintf(`{"price":%d.25,"size":%d}`, 100+i%7, i%900))
	})
}

func watch(addr string, slow bool) {
	for {
		c, _, err := websocket.DefaultDialer.Dial("ws://"+addr+"/prices", nil)
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		for err == nil {
			if _, _, err = c.ReadMessage(); slow {
				time.Sleep(time.Second)
			}
		}
		c.Close()
	}
}
