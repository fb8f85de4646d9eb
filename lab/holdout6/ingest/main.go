// Ingest takes batches of events from browsers, counts them, and hands them to storage a second later.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/gocasebook/casebook/lab/holdout6/internal/drive"
)

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	reg := prometheus.NewRegistry()
	b := newBuffer(reg, 50_000)
	go b.run(context.Background(), time.Second, func(batch []event) error { return nil })
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	r.Use(gin.Recovery())
	r.POST("/v1/events", func(c *gin.Context) {
		var list []event
		if err := json.NewDecoder(http.MaxBytesReader(c.Writer, c.Request.Body, 1<<20)).Decode(&list); err != nil {
			c.AbortWithStatusJSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		if !b.add(list) {
			c.AbortWithStatus(http.StatusTooManyRequests)
			return
		}
		c.Status(http.StatusAccepted)
	})
	r.GET("/metrics", gin.WrapH(promhttp.HandlerFor(reg, promhttp.HandlerOpts{})))
	r.GET("/debug/pprof/*any", gin.WrapH(http.DefaultServeMux))
	log.Fatal(r.Run(p.Main()))
}

func load(p drive.Ports) {
	var bodies []string
	for i := range 20 {
		var rows []string
		for j := range 60 {
			rows = append(rows, fmt.Sprintf(`{"type":%q,"session":"s-%d","path":"/articles/%d","ms":%d,"at":%d}`,
				kinds[(i+j)%len(kinds)], i*100+j, j*7, j*13%900, 1_790_000_000+i))
		}
		bodies = append(bodies, "["+strings.Join(rows, ",")+"]")
	}
	drive.Load{Rate: 160}.Run(func(i int) *http.Request {
		if i%160 == 0 {
			return drive.Get(p.Main(), "/metrics")
		}
		return drive.Send(http.MethodPost, p.Main(), "/v1/events", bodies[i%len(bodies)])
	})
}
