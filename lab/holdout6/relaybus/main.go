// Relaybus forwards the events of a broker to a webhook and says how many went through.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"
	"time"

	"github.com/rs/zerolog"

	"github.com/gocasebook/casebook/lab/holdout6/internal/drive"
)

func main() {
	p := drive.Flags()
	if p.Load {
		load(p)
	}
	logger := zerolog.New(os.Stdout).With().Timestamp().Logger()
	r := &relay{hook: "http://" + p.Dependency() + "/hook", client: &http.Client{
		Transport: &http.Transport{MaxIdleConnsPerHost: 8}}, log: logger}
	http.HandleFunc("GET /stats", func(w http.ResponseWriter, _ *http.Request) {
		json.NewEncoder(w).Encode(map[string]int64{"forwarded": r.forwarded.Load(), "failed": r.failed.Load()})
	})
	go func() {
		drive.Await(p.Second())
		conn, err := net.Dial("tcp", p.Second())
		if err != nil {
			log.Fatal(err)
		}
		if err := r.run(context.Background(), subscribe(conn)); err != nil {
			log.Fatal(err)
		}
	}()
	log.Fatal(http.ListenAndServe(p.Main(), nil))
}

// load is the broker, the webhook, and somebody who looks at the figures.
func load(p drive.Ports) {
	drive.Serve(p.Dependency(), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) }))
	l := drive.Listen("tcp", p.Second())
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				log.Fatal(err)
			}
			go publish(c)
		}
	}()
	drive.Load{Rate: 5}.Run(func(int) *http.Request { return drive.Get(p.Main(), "/stats") })
}

func publish(c net.Conn) {
	defer c.Close()
	tick := time.NewTicker(time.Second / 50)
	for i := 0; ; i++ {
		<-tick.C
		for j := range 24 {
			if _, err := fmt.Fprintf(c, `{"id":%d,"topic":"orders.%d","order":{"number":%d,"state":"paid"}}`+"\n",
				i*24+j, j, i*7); err != nil {
				return
			}
		}
	}
}
