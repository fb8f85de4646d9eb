// Agenda shows people their meetings, and who of the others would have to get up at night.
package main

import (
	"fmt"
	"log"
	"math/rand/v2"
	"net/http"
	_ "net/http/pprof"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/gocasebook/casebook/lab/holdout4/internal/drive"
)

var zones = []string{"Europe/Berlin", "Europe/London", "America/New_York", "America/Los_Angeles", "Asia/Tokyo",
	"Australia/Sydney", "Asia/Kolkata", "America/Sao_Paulo"}

var begin = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)

type calendar struct{ people map[string]*Person }

func (c *calendar) get(ctx *gin.Context) {
	p := c.people[ctx.Param("name")]
	if p == nil {
		ctx.JSON(http.StatusNotFound, gin.H{"error": "nobody of that name"})
		return
	}
	from := begin
	if s := ctx.Query("from"); s != "" {
		var err error
		if from, err = time.Parse(time.DateOnly, s); err != nil {
			ctx.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
	}
	entries, err := p.Agenda(from, 20)
	if err != nil {
		ctx.Error(err)
		ctx.JSON(http.StatusInternalServerError, gin.H{"error": "sorry"})
		return
	}
	ctx.JSON(http.StatusOK, entries)
}

// fill invents people and a year of meetings.
func fill() *calendar {
	c := &calendar{people: map[string]*Person{}}
	var all []*Person
	for i := range 400 {
		p := &Person{Name: fmt.Sprintf("p%d", i), Zone: zones[i%len(zones)]}
		c.people[p.Name] = p
		all = append(all, p)
	}
	rnd := rand.New(rand.NewPCG(7, 7))
	at := begin
	for i := range 15000 {
		at = at.Add(time.Duration(20+rnd.IntN(30)) * time.Minute)
		m := &Meeting{ID: i, Title: fmt.Sprintf("Meeting %d", i), Start: at, Length: 45 * time.Minute}
		for range 3 + rnd.IntN(4) {
			p := all[rnd.IntN(len(all))]
			m.Attendees = append(m.Attendees, p)
			p.Meetings = append(p.Meetings, m)
		}
	}
	return c
}

func main() {
	p := drive.Flags()
	if p.Load {
		drive.HTTP(110, func(i int) *http.Request {
			day := begin.AddDate(0, 0, rand.IntN(200))
			return drive.Get(p.Main(), "/people/p%d/agenda?from=%s", i%400, day.Format(time.DateOnly))
		})
	}
	c := fill()
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	r.Use(gin.Recovery())
	r.GET("/people/:name/agenda", c.get)
	r.Any("/debug/pprof/*any", gin.WrapH(http.DefaultServeMux))
	log.Fatal(r.Run(p.Main()))
}
