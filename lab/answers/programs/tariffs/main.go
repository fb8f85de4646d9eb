// Tariffs answers what a zone costs. It asks the tariff server, and keeps what it said for a while.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"strconv"
	"strings"
	"sync"
	"time"
)

type kept struct {
	cents int
	at    time.Time
}

type tariffs struct {
	ask   func(zone string) (int, error)
	fresh time.Duration

	mu   sync.Mutex
	kept map[string]kept
}

// rate gives the rate of a zone. The server is asked once for all who want the same at a time.
func (t *tariffs) rate(zone string) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if k, ok := t.kept[zone]; ok && time.Since(k.at) < t.fresh {
		return k.cents, nil
	}
	cents, err := t.ask(zone)
	if err != nil {
		return 0, err
	}
	t.kept[zone] = kept{cents, time.Now()}
	return cents, nil
}

func (t *tariffs) show(w http.ResponseWriter, r *http.Request) {
	cents, err := t.rate(r.PathValue("zone"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprintln(w, cents)
}

// server asks the tariff server at base.
func server(base string) func(zone string) (int, error) {
	client := &http.Client{Timeout: 5 * time.Second}
	return func(zone string) (int, error) {
		resp, err := client.Get(base + "/rate/" + zone)
		if err != nil {
			return 0, err
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(io.LimitReader(resp.Body, 100))
		if err != nil {
			return 0, err
		}
		return strconv.Atoi(strings.TrimSpace(string(text)))
	}
}

// back is the tariff server, which answers in 40 ms.
func back(addr string) error {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /rate/{zone}", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(40 * time.Millisecond)
		fmt.Fprintln(w, 100+len(r.PathValue("zone")))
	})
	return http.ListenAndServe(addr, mux)
}

func main() {
	addr := flag.String("addr", "127.0.0.1:7812", "where to serve")
	peer := flag.String("peer", "127.0.0.1:7912", "where the tariff server is")
	isBack := flag.Bool("back", false, "be the tariff server")
	flag.Parse()
	if *isBack {
		log.Fatal(back(*peer))
	}
	t := &tariffs{ask: server("http://" + *peer), fresh: 100 * time.Millisecond, kept: map[string]kept{}}
	http.HandleFunc("GET /zones/{zone}", t.show)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
