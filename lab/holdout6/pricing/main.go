// Pricing quotes shipping prices from tariffs which are settings: whoever changes the file changes prices at once.
package main

import (
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"

	"github.com/gin-gonic/gin"

	"github.com/gocasebook/casebook/lab/holdout6/internal/drive"
)

type quoteRequest struct {
	Zone   string  `json:"zone" binding:"required"`
	Weight float64 `json:"weight" binding:"gt=0"`
	Code   string  `json:"code"`
}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	s, err := newSettings()
	if err != nil {
		log.Fatal(err)
	}
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	r.Use(gin.Recovery())
	r.POST("/quotes", func(c *gin.Context) {
		var q quoteRequest
		if err := c.ShouldBindJSON(&q); err != nil {
			c.AbortWithStatusJSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		t, err := s.Tariffs()
		if err != nil {
			c.AbortWithStatusJSON(http.StatusInternalServerError, gin.H{"error": err.Error()})
			return
		}
		price, err := t.quote(q)
		if err != nil {
			c.AbortWithStatusJSON(http.StatusNotFound, gin.H{"error": err.Error()})
			return
		}
		c.JSON(http.StatusOK, gin.H{"price": price, "currency": t.Currency})
	})
	r.GET("/debug/pprof/*any", gin.WrapH(http.DefaultServeMux))
	log.Fatal(r.Run(p.Main()))
}

// quote is what a parcel costs.
func (t Tariffs) quote(q quoteRequest) (float64, error) {
	z, ok := t.Zones[q.Zone]
	if !ok {
		return 0, fmt.Errorf("no zone %q", q.Zone)
	}
	price := z.Base
	for _, b := range z.Bands {
		if q.Weight <= b.UpTo {
			price += b.Price * q.Weight
			break
		}
	}
	for _, d := range t.Discounts {
		if d.Code == q.Code {
			price *= 1 - d.Percent/100
		}
	}
	return price, nil
}

func load(p drive.Ports) {
	drive.Load{Rate: 150}.Run(func(i int) *http.Request {
		return drive.Send(http.MethodPost, p.Main(), "/quotes",
			fmt.Sprintf(`{"zone":"z%d","weight":%d.5,"code":"C%d"}`, i%40, i%30, i%60))
	})
}
