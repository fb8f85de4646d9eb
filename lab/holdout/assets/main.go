// Assets serves a shop's static answers, compressed for whoever can read that.
package main

import (
	"compress/gzip"
	"flag"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"strings"
	"time"
)

type compressor struct {
	next http.Handler
	min  int
}

type zipped struct {
	http.ResponseWriter
	zw *gzip.Writer
}

func (z *zipped) Write(b []byte) (int, error) { return z.zw.Write(b) }

func (c *compressor) handle(w http.ResponseWriter, r *http.Request) {
	if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		c.next.ServeHTTP(w, r)
		return
	}
	w.Header().Set("Content-Encoding", "gzip")
	z := &zipped{w, gzip.NewWriter(w)}
	defer z.zw.Close()
	c.next.ServeHTTP(z, r)
}

type files map[string][]byte

func (f files) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b, ok := f[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/css")
	w.Write(b)
}

func stylesheet(n int) []byte {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, ".c%d { margin: %dpx; color: #%06x }\n", i, i%13, i*7919)
	}
	return []byte(b.String())
}

func load(base string) {
	for i, t := 0, time.Tick(3*time.Millisecond); ; i++ {
		<-t
		go func() {
			req, _ := http.NewRequest("GET", fmt.Sprintf("%s/s%d.css", base, i%4), nil)
			req.Header.Set("Accept-Encoding", "gzip")
			if res, err := http.DefaultClient.Do(req); err == nil {
				res.Body.Close()
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
	all := files{}
	for i := range 4 {
		all[fmt.Sprintf("/s%d.css", i)] = stylesheet(30 + 20*i)
	}
	c := &compressor{next: all, min: 512}
	http.HandleFunc("/", c.handle)
	log.Fatal(http.ListenAndServe(addr, nil))
}
