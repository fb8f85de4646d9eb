// Weather answers what the nearest station measured last.
package main

import (
	"fmt"
	"log"
	"math/rand/v2"
	"net/http"
	_ "net/http/pprof"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/gocasebook/casebook/lab/holdout4/internal/drive"
)

type answer struct {
	Station  string  `json:"station"`
	Name     string  `json:"name"`
	Distance float64 `json:"distance_km"`
	Reading  Reading `json:"reading"`
}

type api struct{ net *Network }

func (a *api) now(c *gin.Context) {
	lat, err1 := strconv.ParseFloat(c.Query("lat"), 64)
	lon, err2 := strconv.ParseFloat(c.Query("lon"), 64)
	if err1 != nil || err2 != nil || lat < -90 || lat > 90 {
		c.JSON(http.StatusBadRequest, gin.H{"error": "lat and lon are degrees"})
		return
	}
	s, d := a.net.Nearest(Position{lat, lon})
	c.JSON(http.StatusOK, answer{s.Code, s.Name, d, s.Latest()})
}

func (a *api) country(c *gin.Context) {
	n, mean := a.net.Country(c.Param("code"))
	if n == 0 {
		c.JSON(http.StatusNotFound, gin.H{"error": "no stations"})
		return
	}
	c.JSON(http.StatusOK, gin.H{"stations": n, "mean": mean})
}

func network(n int) *Network {
	rnd := rand.New(rand.NewPCG(4, 4))
	net := &Network{stations: make([]Station, n)}
	for i := range net.stations {
		s := &net.stations[i]
		s.Code, s.Name = fmt.Sprintf("W%05d", i), fmt.Sprintf("Station %d", i)
		s.Country = fmt.Sprintf("%c%c", 'A'+i%20, 'A'+i/20%20)
		s.Position = Position{rnd.Float64()*140 - 70, rnd.Float64()*360 - 180}
		s.Height, s.Active = rnd.IntN(3000), i%50 != 0
		s.Since = time.Date(1950+i%70, 1, 1, 0, 0, 0, 0, time.UTC)
		for h := range s.Hours {
			s.Hours[h] = Reading{float32(rnd.NormFloat64()*10 + 12), rnd.Float32(), rnd.Float32() * 20, 1013}
		}
	}
	return net
}

func main() {
	p := drive.Flags()
	if p.Load {
		drive.HTTP(300, func(i int) *http.Request {
			if i%20 == 0 {
				return drive.Get(p.Main(), "/v1/country/%c%c", 'A'+i/20%20, 'A'+i/400%20)
			}
			return drive.Get(p.Main(), "/v1/now?lat=%.4f&lon=%.4f", rand.Float64()*130-65, rand.Float64()*360-180)
		})
	}
	a := &api{network(9000)}
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	r.Use(gin.Recovery())
	r.GET("/v1/now", a.now)
	r.GET("/v1/country/:code", a.country)
	r.Any("/debug/pprof/*any", gin.WrapH(http.DefaultServeMux))
	log.Fatal(r.Run(p.Main()))
}
