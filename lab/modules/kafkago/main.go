// Kafkago reads and writes Kafka by segmentio/kafka-go: a writer that batches and a reader in a consumer group.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kfake"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

type indexer struct {
	writer *kafka.Writer
	reader *kafka.Reader
	words  atomic.Int64
}

// post writes the lines of an article, and does not wait for the broker.
func (x *indexer) post(w http.ResponseWriter, r *http.Request) {
	lines := make([]kafka.Message, 20)
	for i := range lines {
		lines[i] = kafka.Message{Key: []byte(r.URL.Query().Get("article")),
			Value: fmt.Append(nil, "line ", i, " says that shoes are cheap")}
	}
	if err := x.writer.WriteMessages(r.Context(), lines...); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprintln(w, x.words.Load())
}

// index reads for ever.
func (x *indexer) index(ctx context.Context) {
	for {
		m, err := x.reader.ReadMessage(ctx)
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, context.Canceled):
			return
		case err != nil:
			log.Print(err)
			continue
		}
		x.words.Add(int64(len(strings.Fields(string(m.Value)))))
	}
}

func start(o serve.Options) error {
	x := &indexer{
		writer: &kafka.Writer{Addr: kafka.TCP(o.Backend), Topic: "articles", Balancer: &kafka.Hash{},
			BatchTimeout: 10 * time.Millisecond,
			RequiredAcks: kafka.RequireOne, Async: true},
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: []string{o.Backend}, GroupID: "index", Topic: "articles",
			CommitInterval: time.Second}),
	}
	go x.index(context.Background())
	http.HandleFunc("/", x.post)
	return nil
}

// backend is a broker.
func backend() (string, func(), error) {
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(3, "articles"))
	if err != nil {
		return "", nil, err
	}
	return c.ListenAddrs()[0], c.Close, nil
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 200, Backend: backend,
		Path: func(i int) string { return fmt.Sprint("/?article=", i%500) }})
}
