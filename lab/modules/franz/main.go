// Franz is an order pipeline over franz-go: requests produce to a topic, a consumer group reads it.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

type order struct {
	ID    int    `json:"id"`
	Item  string `json:"item"`
	Price int    `json:"price"`
}

type pipeline struct {
	producer, consumer *kgo.Client
	sick               bool
	each               bool // hands each record over in a goroutine of its own
	seen               atomic.Int64
}

// batch takes the orders of a shop's upload.
func (p *pipeline) batch(ctx context.Context, from int) error {
	for i := range 50 {
		b, err := json.Marshal(order{from + i, "shoe", 4900})
		if err != nil {
			return err
		}
		if p.each {
			go p.send(context.WithoutCancel(ctx), b)
			continue
		}
		if err := p.send(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

func (p *pipeline) send(ctx context.Context, b []byte) error {
	if p.sick { // one by one, each acknowledged before the next
		return p.producer.ProduceSync(ctx, &kgo.Record{Topic: "orders", Value: b}).FirstErr()
	}
	p.producer.Produce(context.WithoutCancel(ctx), &kgo.Record{Topic: "orders", Value: b},
		func(_ *kgo.Record, err error) {
			if err != nil {
				log.Print(err)
			}
		})
	return nil
}

func (p *pipeline) consume(ctx context.Context) {
	for {
		fetches := p.consumer.PollFetches(ctx)
		if fetches.IsClientClosed() {
			return
		}
		fetches.EachRecord(func(r *kgo.Record) {
			var o order
			if json.Unmarshal(r.Value, &o) == nil {
				p.seen.Add(1)
			}
		})
	}
}

func start(o serve.Options) (err error) {
	p := &pipeline{sick: o.Sick, each: o.Kind == "each"}
	if p.producer, err = kgo.NewClient(kgo.SeedBrokers(o.Backend), kgo.ProducerLinger(5*time.Millisecond)); err != nil {
		return err
	}
	if p.consumer, err = kgo.NewClient(kgo.SeedBrokers(o.Backend), kgo.ConsumerGroup("billing"),
		kgo.ConsumeTopics("orders")); err != nil {
		return err
	}
	go p.consume(context.Background())
	http.HandleFunc("/upload", func(w http.ResponseWriter, r *http.Request) {
		if err := p.batch(r.Context(), 1); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
		}
	})
	return nil
}

// backend is a broker that takes 3 ms for a request, as one with replicas does.
func backend() (string, func(), error) {
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(3, "orders"), kfake.SleepOutOfOrder())
	if err != nil {
		return "", nil, err
	}
	return c.ListenAddrs()[0], c.Close, nil
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 150, Backend: backend,
		Path: func(i int) string { return fmt.Sprint("/upload?i=", i) }})
}
