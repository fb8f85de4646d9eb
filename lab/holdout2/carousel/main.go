// Carousel delivers events to the hooks of customers, in order for each customer.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"strings"
	"time"
)

type event struct {
	customer string
	body     []byte
	done     chan<- error
}

// lane is an actor: it delivers what is in its box, one after the other.
type lane struct {
	box    chan event
	client *http.Client
	hooks  string
}

func (l *lane) loop(ctx context.Context) {
	for {
		select {
		case e := <-l.box:
			e.done <- l.deliver(ctx, e)
		case <-ctx.Done():
			return
		}
	}
}

func (l *lane) deliver(ctx context.Context, e event) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.hooks+"/"+e.customer, bytes.NewReader(e.body))
	if err != nil {
		return err
	}
	res, err := l.client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, res.Body)
	return err
}

type carousel struct{ lanes []*lane }

func newCarousel(ctx context.Context, n int, hooks string) *carousel {
	c := new(carousel)
	for range n {
		l := &lane{make(chan event, 16), &http.Client{Timeout: 15 * time.Second}, hooks}
		go l.loop(ctx)
		c.lanes = append(c.lanes, l)
	}
	return c
}

func (c *carousel) lane(customer string) *lane {
	h := fnv.New32a()
	io.WriteString(h, customer)
	return c.lanes[h.Sum32()%uint32(len(c.lanes))]
}

// publish answers when the customer has the event.
func (c *carousel) publish(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 64<<10))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	done := make(chan error, 1)
	customer := r.PathValue("customer")
	c.lane(customer).box <- event{customer, body, done}
	if err := <-done; err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.WriteHeader(http.StatusAccepted)
}

// load is the publishers and the hooks: those of two customers are slow.
func load(self, hooks string) {
	go http.ListenAndServe(hooks, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		d := 2 * time.Millisecond
		if strings.HasSuffix(r.URL.Path, "00") {
			d = 400 * time.Millisecond
		}
		time.Sleep(d)
		io.Copy(io.Discard, r.Body)
	}))
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 200}}
	for i := range 60 {
		go func() {
			for k := i; ; k += 60 {
				u := fmt.Sprintf("http://%s/publish/c%d", self, k%300)
				if res, err := client.Post(u, "application/json", strings.NewReader(`{"order":1}`)); err == nil {
					io.Copy(io.Discard, res.Body)
					res.Body.Close()
				}
				time.Sleep(50 * time.Millisecond)
			}
		}()
	}
	select {}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	self, hooks := fmt.Sprintf("127.0.0.1:%d", *port), fmt.Sprintf("127.0.0.1:%d", *port+1)
	if *l {
		load(self, hooks)
	}
	c := newCarousel(context.Background(), 2, "http://"+hooks)
	http.HandleFunc("POST /publish/{customer}", c.publish)
	log.Fatal(http.ListenAndServe(self, nil))
}
