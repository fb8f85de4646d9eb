// Command leads records the vitals of a service in which it is known what follows what, and after how long. The service
// is ours: other people's do not say when they do something.
//
//	flush    events of requests are written down two seconds after the first of them: http_rate leads cpu by 2 s
//	archive  an upload is kept for five seconds, and compressed then: http_rate leads cpu by 5 s
//	backlog  from some moment on three times as many requests come; when 2,000 items are left over, a second worker
//	         begins to compress them, too: the level of http_rate changes first, that of cpu some 20 s later
//	apart    requests, and a job that has nothing to do with them, each at moments of their own
//
// Each runs for four minutes. archive and backlog were recorded on a machine of which others took nearly all CPU, which
// blurs what they do:
//
//	cd diagnose/testdata/leads; for form in flush archive backlog apart; do go run . $form $form.jsonl & done; wait
package main

import (
	"bytes"
	"compress/flate"
	"context"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/middleware"
	"github.com/gocasebook/casebook/vitals"
)

const minutes = 4

func main() {
	form, ok := map[string]func() (handle http.HandlerFunc, load func(get func())){
		"flush": flush, "archive": archive, "backlog": backlog, "apart": apart}[os.Args[1]]
	if !ok {
		log.Fatalf("unknown form %q", os.Args[1])
	}
	handle, load := form()
	m := middleware.New()
	srv := httptest.NewServer(m.Handler(handle))
	go load(func() {
		resp, err := http.Get(srv.URL)
		if err != nil {
			log.Fatal(err)
		}
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	})
	out, err := os.Create(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	if err := vitals.WriteJSONL(out, samples(m), nil, nil); err != nil {
		log.Fatal(err)
	}
	if err := out.Close(); err != nil {
		log.Fatal(err)
	}
}

// samples are those of this process, one a second.
func samples(m *middleware.Meter) []vitals.Sample {
	self, requests := instance.NewSelf(), m.Source()
	var out []vitals.Sample
	tick := time.NewTicker(time.Second)
	for range minutes * 60 {
		s := vitals.NewSample(<-tick.C)
		if err := self.Sample(context.Background(), &s); err != nil {
			log.Fatal(err)
		}
		read := vitals.NewSample(s.Time)
		values := read.Values[:len(requests.Signals)]
		if err := requests.Read(context.Background(), values); err != nil {
			log.Fatal(err)
		}
		for i, signal := range requests.Signals {
			if id, ok := vitals.Lookup(signal.Name); ok {
				s.Set(id, values[i])
			}
		}
		out = append(out, s)
	}
	return out
}

// compress is work: about 10 ms for each MB.
func compress(data []byte) {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, 6)
	w.Write(data)
	w.Close()
}

func noise(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(rand.IntN(64))
	}
	return b
}

// bursts are requests that come a few at a time, at moments that nobody knows before.
func bursts(get func()) {
	for {
		time.Sleep(time.Duration((0.3 + rand.ExpFloat64()) * float64(5*time.Second)))
		for range 10 + rand.IntN(50) {
			get()
			time.Sleep(2 * time.Millisecond)
		}
	}
}

func flush() (http.HandlerFunc, func(func())) {
	var mu sync.Mutex
	var batch [][]byte // guarded by mu
	event := noise(200_000)
	return func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if batch = append(batch, event); len(batch) > 1 {
			return
		}
		time.AfterFunc(2*time.Second, func() {
			mu.Lock()
			all := bytes.Join(batch, nil)
			batch = nil
			mu.Unlock()
			compress(all)
		})
	}, bursts
}

func archive() (http.HandlerFunc, func(func())) {
	upload := noise(300_000)
	return func(w http.ResponseWriter, r *http.Request) {
		time.AfterFunc(5*time.Second, func() { compress(upload) })
	}, bursts
}

func backlog() (http.HandlerFunc, func(func())) {
	var left atomic.Int64
	item := noise(100_000)
	worker := func(pause time.Duration) {
		for {
			if left.Load() > 0 {
				left.Add(-1)
				compress(item)
			}
			time.Sleep(pause)
		}
	}
	go worker(15 * time.Millisecond)
	var once sync.Once
	handle := func(w http.ResponseWriter, r *http.Request) {
		if left.Add(1) > 2000 {
			once.Do(func() { go worker(5 * time.Millisecond) })
		}
	}
	return handle, func(get func()) {
		for start := time.Now(); ; {
			get()
			if time.Since(start) < 2*time.Minute {
				time.Sleep(15 * time.Millisecond)
			} else {
				time.Sleep(4 * time.Millisecond)
			}
		}
	}
}

func apart() (http.HandlerFunc, func(func())) {
	item := noise(2_000_000)
	go bursts(func() { compress(item[:100_000]) })
	return func(w http.ResponseWriter, r *http.Request) {}, bursts
}
