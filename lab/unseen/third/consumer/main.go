// Consumer reads payments from a stream and keeps what each customer paid.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"github.com/gocasebook/casebook/lab/unseen/third/form"
	"github.com/gocasebook/casebook/lab/unseen/third/web"
)

const (
	stream = "payments"
	group  = "ledger"
)

type consumer struct {
	rdb    *redis.Client
	mu     sync.Mutex
	paid   map[string]int
	failed atomic.Int64
}

func (c *consumer) read(ctx context.Context, name string) error {
	streams, err := c.rdb.XReadGroup(ctx, &redis.XReadGroupArgs{
		Group: group, Consumer: name, Streams: []string{stream, ">"}, Count: 20, Block: time.Second,
	}).Result()
	if err == redis.Nil {
		return nil
	}
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range streams {
		for _, m := range s.Messages {
			c.paid[fmt.Sprint(m.Values["customer"])]++
		}
	}
	return nil
}

// consume reads for ever.
func (c *consumer) consume(ctx context.Context, name string) {
	for ctx.Err() == nil {
		if err := c.read(ctx, name); err != nil {
			c.failed.Add(1)
			if form.Fixed {
				if strings.HasPrefix(err.Error(), "NOGROUP") {
					c.rdb.XGroupCreateMkStream(ctx, stream, group, "0")
				}
				time.Sleep(time.Second)
			}
		}
	}
}

func (c *consumer) customer(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	fmt.Fprintln(w, c.paid[r.PathValue("customer")])
}

func (c *consumer) pay(w http.ResponseWriter, r *http.Request) {
	values := map[string]any{"customer": r.PathValue("customer")}
	if err := c.rdb.XAdd(r.Context(), &redis.XAddArgs{Stream: stream, MaxLen: 1000, Values: values}).Err(); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
	}
}

// store is a Redis, which can be emptied as by a restart without its file.
func store() {
	r := miniredis.NewMiniRedis()
	if err := r.StartAddr(*web.Peer); err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("POST /restart", func(http.ResponseWriter, *http.Request) { r.FlushAll() })
	log.Fatal(http.ListenAndServe(*web.Addr, nil))
}

func main() {
	flag.Parse()
	if *web.Back {
		store()
	}
	ctx := context.Background()
	c := &consumer{rdb: redis.NewClient(&redis.Options{Addr: *web.Peer, Protocol: 2}), paid: make(map[string]int)}
	if err := c.rdb.XGroupCreateMkStream(ctx, stream, group, "0").Err(); err != nil {
		log.Fatal(err)
	}
	for i := range 2 {
		go c.consume(ctx, fmt.Sprint("consumer", i))
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /customers/{customer}", c.customer)
	mux.HandleFunc("POST /customers/{customer}", c.pay)
	web.Serve(mux)
}
