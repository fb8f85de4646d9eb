// Mirror keeps the state of devices and hands all of it to a standby, as JSON.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"sync"
	"time"
)

type Device struct {
	Name, Room string
	Level      int
	Seen       time.Time
}

var (
	lock    sync.RWMutex
	devices = map[string]Device{}
)

func put(w http.ResponseWriter, r *http.Request) {
	d := Device{Name: r.PathValue("name"), Room: r.FormValue("room"), Seen: time.Now()}
	lock.Lock()
	devices[d.Name] = d
	lock.Unlock()
}

func get(w http.ResponseWriter, r *http.Request) {
	lock.RLock()
	d, ok := devices[r.PathValue("name")]
	lock.RUnlock()
	if !ok {
		http.NotFound(w, r)
		return
	}
	json.NewEncoder(w).Encode(d)
}

func snapshot(w http.ResponseWriter, r *http.Request) {
	lock.RLock()
	defer lock.RUnlock()
	b, err := json.Marshal(devices)
	if err != nil {
		http.Error(w, err.Error(), 500)
		return
	}
	w.Write(b)
}

func load(url string) {
	c := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}}
	ask := func(method, path string) {
		req, _ := http.NewRequest(method, url+path, nil)
		if resp, err := c.Do(req); err == nil {
			io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		}
	}
	go func() {
		for {
			ask("GET", "/snapshot")
			time.Sleep(700 * time.Millisecond)
		}
	}()
	for i := range 20 {
		go func() {
			for k := i; ; k += 20 {
				if k%5 == 0 {
					ask("PUT", fmt.Sprintf("/device/d%d?room=attic", k%40_000))
				} else {
					ask("GET", fmt.Sprintf("/device/d%d", k%40_000))
				}
				time.Sleep(12 * time.Millisecond)
			}
		}()
	}
	select {}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr := fmt.Sprintf("127.0.0.1:%d", *port)
	if *l {
		load("http://" + addr)
	}
	for i := range 40_000 {
		name := fmt.Sprintf("d%d", i)
		devices[name] = Device{Name: name, Room: "cellar", Level: i, Seen: time.Now()}
	}
	http.HandleFunc("PUT /device/{name}", put)
	http.HandleFunc("GET /device/{name}", get)
	http.HandleFunc("GET /snapshot", snapshot)
	log.Fatal(http.ListenAndServe(addr, nil))
}
