// Archiver compresses what is sent to it: that is its work, and its writers are used again. Healthy.
package main

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"strings"
	"sync"
	"time"
)

var writers = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

func archive(w http.ResponseWriter, r *http.Request) {
	zw := writers.Get().(*gzip.Writer)
	defer writers.Put(zw)
	http.NewResponseController(w).EnableFullDuplex() // it reads on while it writes
	zw.Reset(w)
	w.Header().Set("Content-Type", "application/gzip")
	if _, err := io.Copy(zw, r.Body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if err := zw.Close(); err != nil {
		log.Print(err)
	}
}

func load(base string) {
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, "2026-11-21T12:%02d:%02d host%d request %d took %d us\n", i/60%60, i%60, i%17, i*7919,
			i*i%100003)
	}
	for range time.Tick(8 * time.Millisecond) {
		if r, err := http.Post(base+"/archive", "", strings.NewReader(b.String())); err == nil {
			var sink bytes.Buffer
			sink.ReadFrom(r.Body)
			r.Body.Close()
		}
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
	http.HandleFunc("POST /archive", archive)
	log.Fatal(http.ListenAndServe(addr, nil))
}
