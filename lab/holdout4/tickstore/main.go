// Tickstore takes price ticks in batches and keeps them in files.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"math/rand/v2"
	"net/http"
	_ "net/http/pprof"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gocasebook/casebook/lab/holdout4/internal/drive"
)

type recorder struct {
	batches  chan []Tick
	accepted atomic.Int64
	dropped  atomic.Int64
}

// run writes what was accepted. It is the only one that writes.
func (r *recorder) run(j *journal) {
	for batch := range r.batches {
		for i := range batch {
			if err := j.write(&batch[i]); err != nil {
				r.dropped.Add(1)
				log.Print(err)
			}
		}
	}
}

func (r *recorder) post(w http.ResponseWriter, req *http.Request) {
	var batch []Tick
	if err := json.NewDecoder(http.MaxBytesReader(w, req.Body, 1<<20)).Decode(&batch); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	select {
	case r.batches <- batch:
		r.accepted.Add(int64(len(batch)))
		w.WriteHeader(http.StatusAccepted)
	default:
		r.dropped.Add(int64(len(batch)))
		http.Error(w, "busy", http.StatusServiceUnavailable)
	}
}

func (r *recorder) stats(w http.ResponseWriter, _ *http.Request) {
	fmt.Fprintf(w, "accepted %d\ndropped %d\nwaiting %d\n", r.accepted.Load(), r.dropped.Load(), len(r.batches))
}

func batch() string {
	var b strings.Builder
	b.WriteByte('[')
	now := time.Now().UnixNano()
	for i := range 160 {
		if i > 0 {
			b.WriteByte(',')
		}
		bid := 10000 + rand.IntN(500)
		fmt.Fprintf(&b, `{"i":%d,"t":%d,"b":%d,"a":%d,"f":%d}`, rand.IntN(3000), now+int64(i), bid, bid+rand.IntN(9), i%4)
	}
	b.WriteByte(']')
	return b.String()
}

func main() {
	p := drive.Flags()
	if p.Load {
		drive.HTTP(220, func(int) *http.Request {
			return drive.Send(http.MethodPost, p.Main(), "/ticks", batch())
		})
	}
	dir, err := os.MkdirTemp("", "tickstore-")
	if err != nil {
		log.Fatal(err)
	}
	j := &journal{dir: dir, limit: 200000, keep: 2}
	r := &recorder{batches: make(chan []Tick, 256)}
	go r.run(j)
	http.HandleFunc("POST /ticks", r.post)
	http.HandleFunc("GET /stats", r.stats)
	log.Fatal(http.ListenAndServe(p.Main(), nil))
}
