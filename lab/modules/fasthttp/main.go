// Fasthttp is a JSON service over fasthttp, beside a mux for profiles.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"time"

	"github.com/valyala/fasthttp"

	"github.com/gocasebook/casebook/lab/modules/serve"
)

type offer struct {
	ID    int      `json:"id"`
	Title string   `json:"title"`
	Tags  []string `json:"tags"`
}

func handle(ctx *fasthttp.RequestCtx) {
	n, _ := ctx.QueryArgs().GetUint("n")
	b, err := json.Marshal(offer{n, fmt.Sprint("offer ", n), []string{"new", "blue"}})
	if err != nil {
		ctx.Error(err.Error(), fasthttp.StatusInternalServerError)
		return
	}
	ctx.SetContentType("application/json")
	ctx.SetBody(b)
}

func start(o serve.Options) error {
	s := &fasthttp.Server{Handler: handle, IdleTimeout: time.Minute, ReadTimeout: time.Minute}
	go func() { log.Fatal(s.ListenAndServe(o.Own())) }()
	return nil
}

func load(o serve.Options) {
	slots := make(chan struct{}, 100)
	for i, t := 0, time.Tick(time.Second/5000); ; i++ {
		<-t
		slots <- struct{}{}
		go func() {
			defer func() { <-slots }()
			fasthttp.Get(nil, fmt.Sprintf("http://%s/?n=%d", o.Own(), i))
		}()
	}
}

func main() { serve.Run(serve.Service{Start: start, Load: load}) }
