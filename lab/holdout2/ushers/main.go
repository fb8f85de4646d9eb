// Ushers reserves seats in a hall. A block of seats has its own lock.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"strconv"
	"sync"
	"time"
)

var (
	errTaken  = errors.New("taken")
	errNoSeat = errors.New("no such seat")
)

type hold struct {
	Guest string
	Until time.Time
}

type block struct {
	sync.Mutex
	seats [400]hold
}

type hall struct{ blocks [128]block }

// reserve holds a seat for a guest.
func (h *hall) reserve(b, seat int, guest string) (hold, error) {
	bl := &h.blocks[b%len(h.blocks)]
	bl.Lock()
	if seat < 0 || seat >= len(bl.seats) {
		return hold{}, fmt.Errorf("seat %d: %w", seat, errNoSeat)
	}
	s := &bl.seats[seat]
	if s.Guest != guest && time.Now().Before(s.Until) {
		bl.Unlock()
		return hold{}, errTaken
	}
	*s = hold{guest, time.Now().Add(2 * time.Second)}
	bl.Unlock()
	return *s, nil
}

// free counts the seats of a block that can be had.
func (h *hall) free(b int) int {
	bl := &h.blocks[b%len(h.blocks)]
	bl.Lock()
	defer bl.Unlock()
	n, now := 0, time.Now()
	for i := range bl.seats {
		if now.After(bl.seats[i].Until) {
			n++
		}
	}
	return n
}

func number(r *http.Request, name string) int {
	n, err := strconv.Atoi(r.FormValue(name))
	if err != nil {
		return -1
	}
	return n
}

func (h *hall) routes() {
	http.HandleFunc("POST /reserve", func(w http.ResponseWriter, r *http.Request) {
		held, err := h.reserve(max(0, number(r, "block")), number(r, "seat"), r.FormValue("guest"))
		switch {
		case errors.Is(err, errTaken):
			http.Error(w, err.Error(), http.StatusConflict)
		case err != nil:
			http.Error(w, err.Error(), http.StatusNotFound)
		default:
			json.NewEncoder(w).Encode(held)
		}
	})
	http.HandleFunc("GET /free", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, h.free(max(0, number(r, "block"))))
	})
}

// load reserves in order; some clients have an old plan of the hall.
func load(url string) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}}
	for i := 0; ; i++ {
		go func() {
			seat := i % 400
			if i%180 == 7 {
				seat = 400 + i%20
			}
			ask := fmt.Sprintf("%s/reserve?block=%d&seat=%d&guest=g%d", url, i*61%128, seat, i%50)
			res, err := client.Post(ask, "", nil)
			if err == nil {
				io.Copy(io.Discard, res.Body)
				res.Body.Close()
			}
			if res, err := client.Get(fmt.Sprintf("%s/free?block=%d", url, i*17%128)); err == nil {
				io.Copy(io.Discard, res.Body)
				res.Body.Close()
			}
		}()
		time.Sleep(8 * time.Millisecond)
	}
}

func main() {
	port := flag.Int("port", 7000, "")
	l := flag.Bool("load", false, "")
	flag.Parse()
	addr := "127.0.0.1:" + strconv.Itoa(*port)
	if *l {
		load("http://" + addr)
	}
	new(hall).routes()
	log.Fatal(http.ListenAndServe(addr, nil))
}
