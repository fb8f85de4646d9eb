// Documents, with the 20,000 that were asked for last in memory.
package main

import (
	"flag"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"
)

type library struct{ cache *lru.Cache[string, []byte] }

func (l *library) document(id string) []byte {
	if d, ok := l.cache.Get(id); ok {
		return d
	}
	d := fmt.Appendf(make([]byte, 0, 4<<10), "document %s\n%s", id, strings.Repeat("text of "+id+". ", 230))
	l.cache.Add(id, d)
	return d
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8311", "address to serve on")
	flag.Parse()
	cache, err := lru.New[string, []byte](20_000)
	if err != nil {
		log.Fatal(err)
	}
	l := &library{cache: cache}
	http.HandleFunc("GET /documents/{id}", func(w http.ResponseWriter, r *http.Request) { w.Write(l.document(r.PathValue("id"))) })
	log.Fatal(http.ListenAndServe(*addr, nil))
}
