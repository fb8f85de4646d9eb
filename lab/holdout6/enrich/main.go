// Enrich adds what other teams know to a product: reviews, stock, delivery. What is not there in time is left out.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/rs/zerolog"

	"github.com/gocasebook/casebook/lab/holdout6/internal/drive"
)

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	e := &Enricher{log: zerolog.Nop(), patience: 80 * time.Millisecond}
	client := &http.Client{Timeout: 2 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	for _, s := range []source{
		{name: "reviews"},
		{name: "stock"},
		{name: "delivery", countries: []string{"DE", "AT", "FR"}},
		{name: "financing", countries: []string{"DE"}},
	} {
		s.url, s.client = "http://"+p.Dependency()+"/"+s.name, client
		e.sources = append(e.sources, s)
	}
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	r.Use(gin.Recovery())
	r.GET("/products/:sku", func(c *gin.Context) {
		c.JSON(http.StatusOK, e.Enrich(c.Request.Context(), c.Param("sku"), c.DefaultQuery("country", "DE")))
	})
	r.GET("/debug/pprof/*any", gin.WrapH(http.DefaultServeMux))
	log.Fatal(r.Run(p.Main()))
}

// load is the other teams' services, and customers of five countries.
func load(p drive.Ports) {
	drive.Serve(p.Dependency(), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(6 * time.Millisecond)
		json.NewEncoder(w).Encode(map[string]string{"from": r.URL.Path, "sku": r.URL.Query().Get("sku")})
	}))
	countries := []string{"DE", "DE", "AT", "DE", "FR", "IT", "DE", "NL"}
	drive.Load{Rate: 120}.Run(func(i int) *http.Request {
		return drive.Get(p.Main(), "/products/%s?country=%s", fmt.Sprintf("sku-%d", i%5000), countries[i%len(countries)])
	})
}
