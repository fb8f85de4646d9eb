// Reports: now and then many people export theirs at once, and each export is read slowly.
package main

import (
	"flag"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"time"
)

type report struct{ rows []string }

func collect(user string) report {
	r := report{rows: make([]string, 0, 2000)}
	for i := range 2000 {
		r.rows = append(r.rows, fmt.Sprintf("%s;%d;%d;booked;2026-11-28", user, i, i*37%1000))
	}
	return r
}

// export sends a report in parts, as its reader takes them.
func export(w http.ResponseWriter, r *http.Request) {
	rep := collect(r.PathValue("user"))
	lines := make(chan string)
	done := r.Context().Done()
	go func() {
		defer close(lines)
		for i := 0; i < len(rep.rows); i += 50 {
			select {
			case lines <- rep.rows[i]:
			case <-done:
				return
			}
			select {
			case <-time.After(200 * time.Millisecond):
			case <-done:
				return
			}
		}
	}()
	for line := range lines {
		fmt.Fprintln(w, line)
	}
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8312", "address to serve on")
	flag.Parse()
	http.HandleFunc("GET /reports/{user}/export", export)
	http.HandleFunc("GET /reports/{user}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, len(collect(r.PathValue("user")).rows))
	})
	log.Fatal(http.ListenAndServe(*addr, nil))
}
