// Thumbs takes pictures, and makes small ones of them behind the scenes.
package main

import (
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"sync/atomic"
	"time"

	"github.com/gammazero/workerpool"

	"github.com/gocasebook/casebook/lab/unseen/third/form"
	"github.com/gocasebook/casebook/lab/unseen/third/web"
)

type thumbs struct {
	pool *workerpool.WorkerPool
	made atomic.Int64
}

// shrink makes a small picture, and stores it in 200 ms.
func (t *thumbs) shrink(id string, picture []byte) {
	small := make([]byte, 0, len(picture)/16)
	for i := 0; i < len(picture); i += 16 {
		small = append(small, picture[i])
	}
	time.Sleep(200 * time.Millisecond)
	t.made.Add(int64(1 + crc32.ChecksumIEEE(small)%1))
}

func (t *thumbs) upload(w http.ResponseWriter, r *http.Request) {
	if form.Fixed && t.pool.WaitingQueueSize() > 40 {
		http.Error(w, "later", http.StatusServiceUnavailable)
		return
	}
	picture, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	id := r.PathValue("id")
	t.pool.Submit(func() { t.shrink(id, picture) })
	w.WriteHeader(http.StatusAccepted)
}

func (t *thumbs) count(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, t.made.Load()) }

func main() {
	flag.Parse()
	t := &thumbs{pool: workerpool.New(2)}
	http.HandleFunc("PUT /pictures/{id}", t.upload)
	http.HandleFunc("GET /pictures", t.count)
	log.Fatal(http.ListenAndServe(*web.Addr, nil))
}
