// Sarama reads and writes Kafka by IBM/sarama: an async producer and a consumer group.
package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/IBM/sarama"
	"github.com/twmb/franz-go/pkg/kfake"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

type reader struct{ seen atomic.Int64 }

func (*reader) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (*reader) Cleanup(sarama.ConsumerGroupSession) error { return nil }
func (h *reader) ConsumeClaim(s sarama.ConsumerGroupSession, c sarama.ConsumerGroupClaim) error {
	for m := range c.Messages() {
		h.seen.Add(int64(len(strings.Fields(string(m.Value)))))
		s.MarkMessage(m, "")
	}
	return nil
}

func start(o serve.Options) error {
	cfg := sarama.NewConfig()
	cfg.Version = sarama.V2_8_0_0
	cfg.Producer.Return.Successes = false
	cfg.Producer.Flush.Frequency = 5e6
	p, err := sarama.NewAsyncProducer([]string{o.Backend}, cfg)
	if err != nil {
		return err
	}
	go func() {
		for range p.Errors() {
		}
	}()
	group, err := sarama.NewConsumerGroup([]string{o.Backend}, "audit", cfg)
	if err != nil {
		return err
	}
	h := &reader{}
	go func() {
		for {
			group.Consume(context.Background(), []string{"orders"}, h)
		}
	}()
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		for i := range 20 {
			p.Input() <- &sarama.ProducerMessage{Topic: "orders",
				Value: sarama.StringEncoder(fmt.Sprint("order ", i, " of a shoe"))}
		}
		fmt.Fprintln(w, h.seen.Load())
	})
	return nil
}

func backend() (string, func(), error) {
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(3, "orders"))
	if err != nil {
		return "", nil, err
	}
	return c.ListenAddrs()[0], c.Close, nil
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 400, Backend: backend, Path: func(int) string { return "/" }})
}
