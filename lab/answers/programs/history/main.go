// History keeps, of each device, what it said last.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"sync"
)

// shown is how many messages of a device are ever shown.
const shown = 20

type history struct {
	mu sync.Mutex
	by map[string][][]byte
}

func (h *history) add(device string, message []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.by[device] = append(h.by[device], message)
}

// last gives the last messages of a device, the oldest first.
func (h *history) last(device string) [][]byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := h.by[device]
	return append([][]byte(nil), all[max(0, len(all)-shown):]...)
}

func (h *history) take(w http.ResponseWriter, r *http.Request) {
	message, err := io.ReadAll(io.LimitReader(r.Body, 64<<10))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	h.add(r.PathValue("device"), message)
}

func (h *history) show(w http.ResponseWriter, r *http.Request) {
	for _, message := range h.last(r.PathValue("device")) {
		fmt.Fprintf(w, "%.80s\n", message)
	}
}

func main() {
	addr := flag.String("addr", "127.0.0.1:7813", "where to serve")
	flag.Parse()
	h := &history{by: map[string][][]byte{}}
	http.HandleFunc("POST /devices/{device}", h.take)
	http.HandleFunc("GET /devices/{device}", h.show)
	log.Fatal(http.ListenAndServe(*addr, nil))
}
