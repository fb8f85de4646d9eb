// Inbox takes orders by HTTP, hands them to a broker, and books each with a carrier when the broker delivers it. The form
// (-kind) says which broker, over which client, as its README shows: paho (MQTT), nats, sarama and kafkago (Kafka),
// asynq (Redis) and watermill (channels). One message is handled after the other, which takes 8 ms each. A second word
// says what is different:
//
//   - "unordered" (paho), "parts" (sarama) and "ten" (asynq) handle several at once;
//   - "few" (any) has so few orders that the handler waits for them.
//
// "ticker", "cron" and "poll" have no broker: a loop that a library starts waits for its turn (errgroup, oklog/run), or
// a job goes through a list (robfig/cron).
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

// A carrier is a service elsewhere that takes its time.
type carrier struct {
	url    string
	client *http.Client
	booked atomic.Int64
}

func (c *carrier) book(ctx context.Context, order []byte) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(order))
	if err != nil {
		return err
	}
	res, err := c.client.Do(req)
	if err != nil {
		return fmt.Errorf("booking: %w", err)
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		return err
	}
	c.booked.Add(1)
	return nil
}

// A publisher hands an order to the broker.
type publisher func(order []byte) error

// A shop is what a form brings: it subscribes, and says how orders are published.
type shop func(c *carrier, broker, how string) (publisher, error)

var shops = map[string]shop{
	"paho":      overMQTT,
	"nats":      overNATS,
	"sarama":    overSarama,
	"kafkago":   overKafkaGo,
	"asynq":     overAsynq,
	"watermill": overWatermill,
	"ticker":    withTicker,
	"cron":      withCron,
	"poll":      withPoll,
}

// form is the broker, and what is different.
func form(kind string) (of, how string) {
	of, how, _ = strings.Cut(kind, "-")
	return of, how
}

func start(o serve.Options) error {
	of, how := form(o.Kind)
	begin, ok := shops[of]
	if !ok {
		return fmt.Errorf("no broker %q", of)
	}
	broker, far, _ := strings.Cut(o.Backend, ",")
	c := &carrier{url: "http://" + far + "/bookings",
		client: &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
	publish, err := begin(c, broker, how)
	if err != nil {
		return err
	}
	http.HandleFunc("POST /orders", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = publish(append(body, r.URL.RawQuery...))
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.WriteHeader(http.StatusAccepted)
	})
	return nil
}

// backend is the broker of a form and the carrier: two addresses.
func backend(kind string) (string, func(), error) {
	of, _ := form(kind)
	addr, stop, err := begin(of)
	if err != nil {
		return "", nil, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	go func() {
		log.Fatal(http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			if r.Method == http.MethodGet { // news, of which there is some now and then
				time.Sleep(50 * time.Millisecond)
			}
			time.Sleep(8 * time.Millisecond)
			fmt.Fprintln(w, "booked")
		})))
	}()
	return addr + "," + l.Addr().String(), stop, nil
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 300, Method: http.MethodPost, BackendOf: backend,
		Path: func(i int) string { return fmt.Sprint("/orders?o=", i) }})
}
