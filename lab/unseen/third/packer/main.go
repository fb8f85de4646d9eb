// Packer takes messages and keeps the last of them, packed.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/gocasebook/casebook/lab/unseen/third/form"
	"github.com/gocasebook/casebook/lab/unseen/third/web"
)

type packer struct {
	encoder *zstd.Encoder
	mu      sync.Mutex
	last    [256][]byte
	next    int
}

func (p *packer) pack(message []byte) ([]byte, error) {
	if form.Fixed {
		return p.encoder.EncodeAll(message, nil), nil
	}
	var packed bytes.Buffer
	w, err := zstd.NewWriter(&packed)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(message); err != nil {
		return nil, err
	}
	return packed.Bytes(), w.Close()
}

func (p *packer) message(w http.ResponseWriter, r *http.Request) {
	message, err := io.ReadAll(io.LimitReader(r.Body, 64<<10))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	packed, err := p.pack(message)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	p.mu.Lock()
	p.last[p.next%len(p.last)] = packed
	p.next++
	p.mu.Unlock()
	fmt.Fprintln(w, len(packed))
}

func main() {
	flag.Parse()
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		log.Fatal(err)
	}
	p := &packer{encoder: encoder}
	http.HandleFunc("POST /messages", p.message)
	http.HandleFunc("GET /ready", func(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, "ready") })
	log.Fatal(http.ListenAndServe(*web.Addr, nil))
}
