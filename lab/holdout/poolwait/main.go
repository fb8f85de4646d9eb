// Poolwait renders invoices with a large pool of workers, of which most wait at any time. Healthy.
package main

import (
	"flag"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"strconv"
	"time"
)

type task struct {
	no   int
	done chan []byte
}

func worker(tasks <-chan task) {
	for t := range tasks {
		b := make([]byte, 0, 512)
		sum := uint64(t.no)
		for i := range 400_000 {
			sum = sum*31 + uint64(i)
		}
		b = append(b, "invoice "...)
		b = strconv.AppendInt(b, int64(t.no), 10)
		b = append(b, " check "...)
		t.done <- strconv.AppendUint(b, sum, 16)
	}
}

func load(base string) {
	for i, t := 0, time.Tick(2*time.Millisecond); ; i++ {
		<-t
		go func() {
			if r, err := http.Get(fmt.Sprint(base, "/invoice?no=", i)); err == nil {
				r.Body.Close()
			}
		}()
	}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port)
	if *l {
		load("http://" + addr)
	}
	tasks := make(chan task, 64)
	for range 3000 {
		go worker(tasks)
	}
	http.HandleFunc("/invoice", func(w http.ResponseWriter, r *http.Request) {
		no, _ := strconv.Atoi(r.FormValue("no"))
		t := task{no, make(chan []byte, 1)}
		tasks <- t
		w.Write(<-t.done)
	})
	log.Fatal(http.ListenAndServe(addr, nil))
}
