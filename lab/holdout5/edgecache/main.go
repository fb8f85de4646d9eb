// Edgecache keeps documents of a slow archive near the readers.
package main

import (
	"log"
	"net/http"
	_ "net/http/pprof"
	"strings"
	"time"

	"github.com/gorilla/mux"

	"github.com/gocasebook/casebook/lab/holdout5/internal/drive"
)

func main() {
	p := drive.Flags()
	if p.Load {
		archive(p)
		load(p)
	}
	docs := NewDocs("http://"+p.Dependency(), 5000)
	r := mux.NewRouter()
	r.HandleFunc("/docs/{id}", func(w http.ResponseWriter, r *http.Request) {
		doc, err := docs.Get(r.Context(), mux.Vars(r)["id"])
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Write(doc)
	})
	r.PathPrefix("/debug/pprof").Handler(http.DefaultServeMux)
	srv := &http.Server{Addr: p.Main(), Handler: r, ReadHeaderTimeout: 5 * time.Second, WriteTimeout: time.Minute}
	log.Fatal(srv.ListenAndServe())
}

// archive plays the archive.
func archive(p drive.Ports) {
	text := strings.Repeat("All human beings are born free and equal in dignity and rights. ", 60)
	drive.Serve(p.Dependency(), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(45 * time.Millisecond)
		w.Write([]byte(r.URL.Path + "\n" + text))
	}))
}

// load reads what is popular more often: 9,000 documents.
func load(p drive.Ports) {
	drive.Load{Rate: 700, Callers: 128}.Run(func(i int) *http.Request {
		k := i * 7919 % 9000
		if i%4 > 0 {
			k = k * k / 9000 * k / 9000 / 3
		}
		return drive.Get(p.Main(), "/docs/%d", k)
	})
}
