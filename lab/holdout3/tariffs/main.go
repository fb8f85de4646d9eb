// Tariffs prices telephone calls: each call record is rated by the best rule of its customer's tariff.
package main

import (
	"fmt"
	"net/http"
	_ "net/http/pprof"
	"time"

	"github.com/gin-gonic/gin"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/gocasebook/casebook/lab/holdout3/internal/drive"
)

type Rule struct {
	Prefix   string
	From, To int // hours of the day
	Weekend  bool
	PerMin   int64
	Setup    int64
}

type Tariff struct {
	Name     string
	Currency string
	Rules    []Rule
}

type Call struct {
	From     string    `json:"from" binding:"required"`
	To       string    `json:"to" binding:"required"`
	Started  time.Time `json:"started" binding:"required"`
	Duration int64     `json:"seconds" binding:"gt=0"`
}

type Rated struct {
	To   string `json:"to"`
	Cost int64  `json:"cost_micros"`
	Rule string `json:"rule"`
}

// Engine rates calls.
type Engine struct {
	tariffs map[string]*Tariff
	log     *zap.Logger
}

func (e *Engine) matches(r *Rule, c *Call) bool {
	if len(r.Prefix) > len(c.To) || c.To[:len(r.Prefix)] != r.Prefix {
		return false
	}
	hour := c.Started.Hour()
	if hour < r.From || hour >= r.To {
		return false
	}
	day := c.Started.Weekday()
	return r.Weekend == (day == time.Saturday || day == time.Sunday)
}

// rate finds the rule with the longest prefix.
func (e *Engine) rate(t *Tariff, c *Call) (Rated, error) {
	var best *Rule
	for i := range t.Rules {
		r := &t.Rules[i]
		if e.matches(r, c) && (best == nil || len(r.Prefix) > len(best.Prefix)) {
			best = r
			e.log.Debug(fmt.Sprintf("candidate for %s: %+v, call %+v", t.Name, *r, *c))
		}
	}
	if best == nil {
		return Rated{}, fmt.Errorf("no rule for %s in %s", c.To, t.Name)
	}
	minutes := (c.Duration + 59) / 60
	return Rated{c.To, best.Setup + minutes*best.PerMin, best.Prefix}, nil
}

func (e *Engine) rateAll(name string, calls []Call) ([]Rated, error) {
	t := e.tariffs[name]
	if t == nil {
		return nil, fmt.Errorf("no tariff %q", name)
	}
	rated := make([]Rated, 0, len(calls))
	for i := range calls {
		r, err := e.rate(t, &calls[i])
		if err != nil {
			return nil, err
		}
		rated = append(rated, r)
	}
	e.log.Info("rated", zap.String("tariff", name), zap.Int("calls", len(rated)))
	return rated, nil
}

func tariff(name string) *Tariff {
	t := &Tariff{Name: name, Currency: "EUR"}
	prefixes := []string{"+", "+4", "+49", "+491", "+4915", "+44", "+447", "+1", "+33", "+336"}
	for i := range 48 {
		t.Rules = append(t.Rules, Rule{Prefix: prefixes[i%len(prefixes)], From: 0, To: 24 - i%3, Weekend: i%2 == 1,
			PerMin: int64(9000 + i*130), Setup: 20000})
	}
	for _, p := range prefixes {
		t.Rules = append(t.Rules, Rule{Prefix: p, To: 24, PerMin: 30000},
			Rule{Prefix: p, To: 24, PerMin: 15000, Weekend: true})
	}
	return t
}

func (e *Engine) handle(c *gin.Context) {
	var calls []Call
	if err := c.ShouldBindJSON(&calls); err != nil {
		c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
		return
	}
	rated, err := e.rateAll(c.Param("tariff"), calls)
	if err != nil {
		c.JSON(http.StatusUnprocessableEntity, gin.H{"error": err.Error()})
		return
	}
	c.JSON(http.StatusOK, rated)
}

func load(p drive.Ports) {
	to := []string{"+4915223344556", "+447700900123", "+33612345678", "+12025550143", "+4930123456"}
	drive.HTTP(450, func(i int) *http.Request {
		body := "["
		for n := range 60 {
			if n > 0 {
				body += ","
			}
			body += fmt.Sprintf(`{"from":"+49301","to":"%s","started":"2026-03-%02dT1%d:05:00Z","seconds":%d}`,
				to[(i+n)%len(to)], 1+n%28, i%8, 30+n*7)
		}
		return drive.Send(http.MethodPost, p.Main(), fmt.Sprintf("/tariffs/t%d/rate", i%8), body+"]")
	})
}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	config := zap.NewProductionConfig()
	config.Level = zap.NewAtomicLevelAt(zapcore.InfoLevel)
	log := zap.Must(config.Build())
	e := &Engine{make(map[string]*Tariff), log}
	for i := range 8 {
		name := fmt.Sprintf("t%d", i)
		e.tariffs[name] = tariff(name)
	}
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	r.POST("/tariffs/:tariff/rate", e.handle)
	r.GET("/debug/pprof/*any", gin.WrapH(http.DefaultServeMux))
	log.Fatal("ended", zap.Error(r.Run(p.Main())))
}
