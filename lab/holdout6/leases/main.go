// Leases charges accounts. Several instances run, so that an account is locked in Redis while it is charged.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/gin-gonic/gin"
	"github.com/redis/go-redis/v9"

	"github.com/gocasebook/casebook/lab/holdout6/internal/drive"
)

type biller struct {
	locks *locker
	bank  string
	http  *http.Client
}

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	rdb := redis.NewClient(&redis.Options{Addr: p.Second(), PoolSize: 100})
	b := &biller{locks: &locker{rdb: rdb, ttl: 10 * time.Second}, bank: "http://" + p.Dependency() + "/charge",
		http: &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
	gin.SetMode(gin.ReleaseMode)
	r := gin.New()
	r.Use(gin.Recovery())
	r.POST("/accounts/:id/charges", b.charge)
	r.GET("/debug/pprof/*any", gin.WrapH(http.DefaultServeMux))
	log.Fatal(r.Run(p.Main()))
}

func (b *biller) charge(c *gin.Context) {
	var in struct {
		Cents int `json:"cents" binding:"required,gt=0"`
	}
	if err := c.ShouldBindJSON(&in); err != nil {
		c.AbortWithStatusJSON(http.StatusBadRequest, gin.H{"error": err.Error()})
		return
	}
	ctx, cancel := context.WithTimeout(c.Request.Context(), 20*time.Second)
	defer cancel()
	lease, err := b.locks.Acquire(ctx, "account:"+c.Param("id"))
	if err != nil {
		c.AbortWithStatusJSON(http.StatusServiceUnavailable, gin.H{"error": err.Error()})
		return
	}
	defer lease.Release(context.WithoutCancel(ctx))
	if err := b.call(ctx, c.Param("id"), in.Cents); err != nil {
		c.AbortWithStatusJSON(http.StatusBadGateway, gin.H{"error": err.Error()})
		return
	}
	c.JSON(http.StatusCreated, gin.H{"charged": in.Cents})
}

func (b *biller) call(ctx context.Context, account string, cents int) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, fmt.Sprintf("%s?account=%s&cents=%d", b.bank, account,
		cents), nil)
	if err != nil {
		return err
	}
	res, err := b.http.Do(req)
	if err != nil {
		return fmt.Errorf("charging %s: %w", account, err)
	}
	defer res.Body.Close()
	var out struct{ OK bool }
	return json.NewDecoder(res.Body).Decode(&out)
}

// load is Redis, the bank, and the customers of four large accounts.
func load(p drive.Ports) {
	redis := miniredis.NewMiniRedis()
	if err := redis.StartAddr(p.Second()); err != nil {
		log.Fatal(err)
	}
	drive.Serve(p.Dependency(), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(18 * time.Millisecond)
		fmt.Fprint(w, `{"OK":true}`)
	}))
	drive.Load{Rate: 140, Burst: 12, Callers: 120}.Run(func(i int) *http.Request {
		return drive.Send(http.MethodPost, p.Main(), fmt.Sprintf("/accounts/%d/charges", i%4), `{"cents":1999}`)
	})
}
