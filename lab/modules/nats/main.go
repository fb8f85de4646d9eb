// Nats is a price service over nats.go with a server in the same process: request and reply, a queue group, a fan-out.
package main

import (
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

func start(serve.Options) error {
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, NoSigs: true})
	if err != nil {
		return err
	}
	go s.Start()
	if !s.ReadyForConnections(5 * time.Second) {
		return errors.New("the NATS server does not listen")
	}
	conn, err := nats.Connect(s.ClientURL())
	if err != nil {
		return err
	}
	for range 4 {
		if _, err := conn.QueueSubscribe("price", "pricers", func(m *nats.Msg) {
			m.Respond(fmt.Appendf(nil, "%s costs %d", m.Data, len(m.Data)*100))
		}); err != nil {
			return err
		}
	}
	var seen atomic.Int64
	for range 50 {
		if _, err := conn.Subscribe("sold", func(*nats.Msg) { seen.Add(1) }); err != nil {
			return err
		}
	}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		m, err := conn.Request("price", []byte(r.FormValue("i")), time.Second)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		conn.Publish("sold", m.Data)
		w.Write(m.Data)
	})
	return nil
}

func main() {
	serve.Run(serve.Service{Start: start, Rate: 1200,
		Path: func(i int) string { return fmt.Sprint("/?i=item", i%100) }})
}
