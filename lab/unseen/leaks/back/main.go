// Back is what the services of this folder talk to: a stand-in for Elasticsearch on -es, a Redis on -redis, a plain origin on -origin.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"strings"

	"github.com/alicebob/miniredis/v2"
)

func main() {
	es := flag.String("es", "127.0.0.1:9200", "address of the index")
	rd := flag.String("redis", "127.0.0.1:6399", "address of Redis")
	origin := flag.String("origin", "127.0.0.1:9201", "address of the origin")
	flag.Parse()
	r := miniredis.NewMiniRedis()
	if err := r.StartAddr(*rd); err != nil {
		log.Fatal(err)
	}
	go func() {
		log.Fatal(http.ListenAndServe(*origin, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, strings.Repeat("a page of the origin\n", 40))
		})))
	}()
	log.Fatal(http.ListenAndServe(*es, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("X-Elastic-Product", "Elasticsearch")
		w.Header().Set("Content-Type", "application/json")
		if strings.HasSuffix(r.URL.Path, "/_search") {
			io.WriteString(w, `{"took":1,"timed_out":false,"hits":{"total":{"value":0},"hits":[]}}`)
			return
		}
		w.WriteHeader(http.StatusCreated)
		fmt.Fprintf(w, `{"_index":"products","_id":"x","_version":1,"result":"created","_shards":{"total":2,"successful":1,"failed":0}}`)
	})))
}
