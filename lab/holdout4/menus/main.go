// Menus shows what restaurants offer now.
package main

import (
	"log"
	"net/http"
	_ "net/http/pprof"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/gocasebook/casebook/lab/holdout4/internal/drive"
)

type api struct{ kitchens []*Kitchen }

func (a *api) kitchen(c *gin.Context) *Kitchen {
	n, err := strconv.Atoi(c.Param("id"))
	if err != nil || n < 0 || n >= len(a.kitchens) {
		c.AbortWithStatus(http.StatusNotFound)
		return nil
	}
	return a.kitchens[n]
}

// today calls show with the menu of now.
func (a *api) today(show func(*gin.Context, *Menu)) gin.HandlerFunc {
	return func(c *gin.Context) {
		k := a.kitchen(c)
		if k == nil {
			return
		}
		m, err := k.Today(time.Now())
		if err != nil {
			c.AbortWithError(http.StatusInternalServerError, err)
			return
		}
		show(c, m)
	}
}

func main() {
	p := drive.Flags()
	if p.Load {
		drive.HTTP(600, func(i int) *http.Request {
			page := "cheapest"
			if i%3 == 0 {
				page = "menu"
			}
			return drive.Get(p.Main(), "/restaurants/%d/%s", i%150, page)
		})
	}
	a := &api{}
	for n := range 150 {
		a.kitchens = append(a.kitchens, kitchen(n))
	}
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	r.Use(gin.Recovery())
	g := r.Group("/restaurants/:id")
	g.GET("/menu", a.today(func(c *gin.Context, m *Menu) { c.JSON(http.StatusOK, m) }))
	g.GET("/cheapest", a.today(func(c *gin.Context, m *Menu) { c.JSON(http.StatusOK, m.Cheapest()) }))
	r.Any("/debug/pprof/*any", gin.WrapH(http.DefaultServeMux))
	log.Fatal(r.Run(p.Main()))
}
