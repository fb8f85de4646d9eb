// Kiln fires tiles: each takes the CPU for a while, and as many are fired at a time as there are processors.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"runtime"
	"time"
)

func fire(clay string, slots chan struct{}) string {
	slots <- struct{}{}
	defer func() { <-slots }()
	h := sha256.Sum256([]byte(clay))
	for range 60_000 {
		h = sha256.Sum256(h[:])
	}
	return hex.EncodeToString(h[:])
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port)
	if *l {
		c := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 80}}
		for i := range 14 {
			go func() {
				for {
					if resp, err := c.Get(fmt.Sprintf("http://%s/tile/%d", addr, i)); err == nil {
						io.Copy(io.Discard, resp.Body)
						resp.Body.Close()
					}
					time.Sleep(10 * time.Millisecond)
				}
			}()
		}
		select {}
	}
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	http.HandleFunc("GET /tile/{clay}", func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, fire(r.PathValue("clay"), slots))
	})
	log.Fatal(http.ListenAndServe(addr, nil))
}
