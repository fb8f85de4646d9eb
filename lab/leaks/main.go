// Command leaks is a service whose goroutines pile up, or whose memory grows, for a reason or by a fault, in one of the
// ways that people have reported.
//
// The problem: a detector of leaks that has seen one leak of two thousand goroutines knows neither one of 200,000 nor a
// queue that is meant to be long. The approach: each way is a handler as people write it, under its name in ways();
// -standing makes as many goroutines pile up at once as hours of traffic would, by the same code, and requests to /work
// go on from there. The faults are those of Uber's LeakProf study (Saioc et al., "Unveiling and Vanquishing Goroutine
// Leaks in Enterprise Microservices", CGO 2024) and of net/http's and x/sync's issue trackers.
//
// The limits: what the handlers ask is a sleep. Command record keeps their evidence in evidence/cases/leaks.
package main

import (
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	_ "net/http/pprof"
	"time"
)

// ways are what the service can be, leaks first.
func ways() map[string]func() http.HandlerFunc {
	return map[string]func() http.HandlerFunc{
		"timeout": timeout, "fanin": fanin, "range": unclosed, "waitgroup": waitgroup, "cond": cond, "errgroup": group,
		"poll": poll, "sleep": sleeper, "context": forgotten, "audit": audit,
		"journals": journals, "tiles": tiles, "names": names,

		"pool": pool, "limiter": limiter, "pipeline": pipeline, "longpoll": longpoll, "sockets": sockets,
		"workers":  workers,
		"sessions": sessions, "backlog": backlog,
	}
}

func main() {
	what := flag.String("what", "", "which way")
	standing := flag.Int("standing", 0, "how many requests' worth of goroutines are there from the start")
	flag.Parse()
	way := ways()[*what]
	if way == nil {
		log.Fatalf("-what %q is none of %d", *what, len(ways()))
	}
	h := way()
	http.HandleFunc("/work", h)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	for i := range *standing {
		go h(httptest.NewRecorder(), httptest.NewRequest("GET", fmt.Sprintf("/work?n=%d", i), nil))
		if i%1000 == 999 {
			time.Sleep(5 * time.Millisecond) // as traffic would, not all in one moment
		}
	}
	fmt.Printf("http://%s\n", l.Addr())
	log.Fatal(http.Serve(l, nil))
}
