// Oracle answers questions; those who ask the same at the same time wait for one answer.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"sync"
	"time"
)

type answer struct {
	ready chan struct{}
	text  string
}

type oracle struct {
	sync.Mutex
	asked  map[string]*answer
	delphi string
}

func (o *oracle) ask(question string) string {
	o.Lock()
	if a := o.asked[question]; a != nil {
		o.Unlock()
		<-a.ready
		return a.text
	}
	a := &answer{ready: make(chan struct{})}
	o.asked[question] = a
	o.Unlock()
	if resp, err := http.Get(o.delphi + "?q=" + question); err == nil {
		b, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		a.text = string(b)
	}
	o.Lock()
	delete(o.asked, question)
	o.Unlock()
	close(a.ready)
	return a.text
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr, delphi := fmt.Sprintf("127.0.0.1:%d", *port), fmt.Sprintf("127.0.0.1:%d", *port+1)
	if *l {
		go http.ListenAndServe(delphi, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(30 * time.Millisecond)
			io.WriteString(w, "perhaps")
		}))
		c := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 80}}
		for i := range 60 {
			go func() {
				for {
					if resp, err := c.Get(fmt.Sprintf("http://%s/ask?q=%d", addr, i%4)); err == nil {
						io.Copy(io.Discard, resp.Body)
						resp.Body.Close()
					}
					time.Sleep(20 * time.Millisecond)
				}
			}()
		}
		select {}
	}
	o := &oracle{asked: map[string]*answer{}, delphi: "http://" + delphi}
	http.HandleFunc("GET /ask", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, o.ask(r.FormValue("q"))) })
	log.Fatal(http.ListenAndServe(addr, nil))
}
