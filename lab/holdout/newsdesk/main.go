// Newsdesk answers /headline with whichever of its three mirrors is first.
package main

import (
	"flag"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"time"
)

var mirrors = []string{"oslo", "porto", "gdansk"}

// ask stands for a call over the network: each mirror has its own distance.
func ask(mirror, topic string) string {
	d := 4 * time.Millisecond
	switch mirror {
	case "porto":
		d = 9 * time.Millisecond
	case "gdansk":
		d = 15 * time.Millisecond
	}
	time.Sleep(d)
	sum := 0
	for i := 0; i < 3000000; i++ {
		sum += i ^ len(topic)
	}
	return fmt.Sprintf("%s: %s today (%d)", mirror, topic, sum)
}

func fastest(topic string) string {
	answers := make(chan string)
	for _, m := range mirrors {
		go func() {
			answers <- ask(m, topic)
		}()
	}
	return <-answers
}

func headline(w http.ResponseWriter, r *http.Request) {
	topic := r.URL.Query().Get("topic")
	if topic == "" {
		http.Error(w, "topic?", http.StatusBadRequest)
		return
	}
	fmt.Fprintln(w, fastest(topic))
}

func load(url string) {
	topics := []string{"weather", "chess", "rowing"}
	for i := 0; ; i++ {
		time.Sleep(12 * time.Millisecond)
		go func() {
			res, err := http.Get(url + "/headline?topic=" + topics[i%3])
			if err == nil {
				res.Body.Close()
			}
		}()
	}
}

func main() {
	port := flag.Int("port", 7000, "where to serve, pprof too")
	asLoad := flag.Bool("load", false, "be the load")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port)
	if *asLoad {
		load("http://" + addr)
	}
	http.HandleFunc("/headline", headline)
	log.Fatal(http.ListenAndServe(addr, nil))
}
