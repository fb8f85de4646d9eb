// Gatekeeper is a reverse proxy's conscience: it says which paths are public, and signs what it said.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"net/http"
	_ "net/http/pprof"
	"os"
	"time"

	"github.com/gocasebook/casebook/lab/holdout/gatekeeper/match"
)

var public = []string{
	"/health",
	"/shops/{id}/*",
	"/shops/{id}/menu/{id}",
	"/img/*/{id}",
	"/checkout/{id}/*/receipt",
	"/legal/*",
}

type decision func(path string) bool

// signed makes a handler of a decision, and signs what it says.
func signed(key []byte, d decision) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.Query().Get("path")
		ok := d(path)
		mac := hmac.New(sha256.New, key)
		fmt.Fprintf(mac, "%s %t", path, ok)
		w.Header().Set("X-Signature", hex.EncodeToString(mac.Sum(nil)))
		if !ok {
			w.WriteHeader(http.StatusForbidden)
		}
	}
}

func isPublic(path string) bool { return match.Any(public, path) }

func load(base string) {
	paths := []string{"/health", "/shops/12ab/hours", "/shops/77/menu/9", "/img/s/cafe", "/checkout/8/mail/receipt",
		"/legal/terms", "/admin"}
	tick := time.NewTicker(800 * time.Microsecond)
	for i := 0; ; i++ {
		<-tick.C
		go func() {
			if res, err := http.Get(base + "/decide?path=" + paths[i%len(paths)]); err == nil {
				res.Body.Close()
			}
		}()
	}
}

func main() {
	port := flag.String("port", "7000", "")
	isLoad := flag.Bool("load", false, "")
	flag.Parse()
	if *isLoad {
		load("http://127.0.0.1:" + *port)
	}
	http.Handle("/decide", signed([]byte("k3y"), isPublic))
	if err := http.ListenAndServe("127.0.0.1:"+*port, nil); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
