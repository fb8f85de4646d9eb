// Courier forwards events to the webhook of a customer.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/pprof"
	"os"
	"sync/atomic"
	"time"
)

type Event struct {
	ID   int               `json:"id"`
	Name string            `json:"name"`
	Data map[string]string `json:"data"`
}

type Courier struct {
	hook   string
	client *http.Client
	failed atomic.Int64
	Log    *log.Logger
}

var errRefused = errors.New("refused by the customer")

func (c *Courier) deliver(e Event) error {
	payload, err := json.Marshal(e)
	if err != nil {
		return err
	}
	resp, err := c.client.Post(c.hook, "application/json", bytes.NewReader(payload))
	if err != nil {
		return fmt.Errorf("delivering %d: %w", e.ID, err)
	}
	if resp.StatusCode >= 400 {
		return errRefused
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

func (c *Courier) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var events []Event
	if err := json.NewDecoder(r.Body).Decode(&events); err != nil {
		http.Error(w, err.Error(), 400)
		return
	}
	for _, e := range events {
		if err := c.deliver(e); err != nil {
			c.failed.Add(1)
		}
	}
	w.WriteHeader(http.StatusAccepted)
}

// customer refuses every tenth event, with a long text.
func customer(w http.ResponseWriter, r *http.Request) {
	var e Event
	json.NewDecoder(r.Body).Decode(&e)
	if e.ID%10 == 0 {
		w.WriteHeader(http.StatusUnprocessableEntity)
		w.Write(bytes.Repeat([]byte("no thanks. "), 3000))
		return
	}
	w.Write([]byte("ok"))
}

func load(port int) {
	go http.ListenAndServe(fmt.Sprintf("127.0.0.1:%d", port+2), http.HandlerFunc(customer))
	id := 0
	for {
		time.Sleep(8 * time.Millisecond)
		batch := make([]Event, 20)
		for i := range batch {
			id++
			batch[i] = Event{id, "order.paid", map[string]string{"order": fmt.Sprint(id * 7), "currency": "NOK"}}
		}
		b, _ := json.Marshal(batch)
		res, err := http.Post(fmt.Sprintf("http://127.0.0.1:%d/events", port), "application/json", bytes.NewReader(b))
		if err == nil {
			res.Body.Close()
		}
	}
}

func main() {
	port := flag.Int("port", 7000, "port")
	isLoad := flag.Bool("load", false, "")
	flag.Parse()
	if *isLoad {
		load(*port)
	}
	c := &Courier{
		hook:   fmt.Sprintf("http://127.0.0.1:%d/hook", *port+2),
		client: &http.Client{Timeout: 30 * time.Minute},
		Log:    log.New(os.Stderr, "courier ", 0),
	}
	mux := http.NewServeMux()
	mux.Handle("POST /events", c)
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	c.Log.Fatal(http.ListenAndServe(fmt.Sprintf("127.0.0.1:%d", *port), mux))
}
