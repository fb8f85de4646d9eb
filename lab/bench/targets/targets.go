package main

import (
	"bytes"
	"compress/gzip"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net"
	"net/http"
	"os"
	"path"
	"slices"
	"strconv"
	"sync"
	"time"
)

//go:embed testdata
var recorded embed.FS

// between is the time between the two recordings of a heap profile.
const between = 10 * time.Second

// A service is what one recorded service answered.
type service struct {
	index, goroutine, metrics []byte
	records                   []byte     // heap?debug=1 up to its memory statistics
	stats                     []memValue // its lines after that
}

// A memValue is a line of runtime.MemStats; a counter grows by rate a second.
type memValue struct {
	line    []byte
	name    string
	counter bool
	value   float64
	rate    float64
}

// counters are the fields of runtime.MemStats that only grow.
var counters = map[string]bool{"TotalAlloc": true, "Mallocs": true, "Frees": true, "NumGC": true}

func readService(name string) (s service, err error) {
	file := func(name string) []byte {
		data, e := recorded.ReadFile(name)
		if e == nil && path.Ext(name) == ".gz" && path.Ext(name[:len(name)-3]) == ".txt" {
			var zr *gzip.Reader
			if zr, e = gzip.NewReader(bytes.NewReader(data)); e == nil {
				data, e = io.ReadAll(zr)
			}
		}
		err = errors.Join(err, e)
		return data
	}
	dir := path.Join("testdata", name)
	s.index, s.goroutine = file(path.Join(dir, "index.html")), file(path.Join(dir, "goroutine.pb.gz"))
	if _, e := fs.Stat(recorded, path.Join(dir, "metrics.txt.gz")); e == nil { // nats-server has none
		s.metrics = file(path.Join(dir, "metrics.txt.gz"))
	}
	first, last := file(path.Join(dir, "heap1.txt.gz")), file(path.Join(dir, "heap2.txt.gz"))
	if err != nil {
		return s, err
	}
	s.records, s.stats, err = readHeap(first)
	if err != nil {
		return s, err
	}
	_, after, err := readHeap(last)
	for i := range s.stats {
		if s.stats[i].counter {
			s.stats[i].rate = (after[i].value - s.stats[i].value) / between.Seconds()
		}
	}
	return s, err
}

func readHeap(text []byte) (records []byte, stats []memValue, err error) {
	records, rest, ok := bytes.Cut(text, []byte("# runtime.MemStats\n"))
	if !ok {
		return nil, nil, errors.New("the recording has no memory statistics")
	}
	for l := range bytes.Lines(rest) {
		v := memValue{line: l}
		if f := bytes.Fields(l); len(f) == 4 && counters[string(f[1])] {
			v.counter, v.name = true, string(f[1])
			if v.value, err = strconv.ParseFloat(string(f[3]), 64); err != nil {
				return nil, nil, err
			}
		}
		stats = append(stats, v)
	}
	return records, stats, nil
}

// heap is the text of heap?debug=1 so long after the recording began.
func (s *service) heap(age time.Duration) []byte {
	out := append(slices.Clip(s.records), "# runtime.MemStats\n"...)
	for _, v := range s.stats {
		if !v.counter {
			out = append(out, v.line...)
			continue
		}
		out = fmt.Appendf(out, "# %s = %.0f\n", v.name, v.value+v.rate*age.Seconds())
	}
	return out
}

// An asked counts requests by path.
type asked struct {
	mu    sync.Mutex
	paths map[string]int
	bytes int
}

func (a *asked) add(path string, n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.paths[path]++
	a.bytes += n
}

func (s *service) handler(began time.Time, seen *asked) http.Handler {
	answer := func(kind string, body func(*http.Request) []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			data := body(r)
			seen.add(r.URL.Path, len(data))
			w.Header().Set("Content-Type", kind)
			_, _ = w.Write(data)
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/{$}", answer("text/html; charset=utf-8", func(*http.Request) []byte { return s.index }))
	mux.HandleFunc("/debug/pprof/heap", answer("text/plain; charset=utf-8", func(*http.Request) []byte {
		return s.heap(time.Since(began))
	}))
	mux.HandleFunc("/debug/pprof/goroutine", answer("application/octet-stream", func(*http.Request) []byte {
		return s.goroutine
	}))
	if s.metrics != nil {
		mux.HandleFunc("/metrics", answer("text/plain; version=0.0.4; charset=utf-8", func(*http.Request) []byte {
			return s.metrics
		}))
	}
	return mux
}

// serveTargets prints an address a line, serves until its input ends, and prints what it was asked.
func serveTargets(number string) error {
	n, err := strconv.Atoi(number)
	if err != nil {
		return err
	}
	dirs, err := recorded.ReadDir("testdata")
	if err != nil {
		return err
	}
	seen, began := &asked{paths: make(map[string]int)}, time.Now()
	var handlers []http.Handler
	for _, d := range dirs {
		s, err := readService(d.Name())
		if err != nil {
			return fmt.Errorf("%s: %w", d.Name(), err)
		}
		handlers = append(handlers, s.handler(began, seen))
	}
	for i := range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		srv := &http.Server{Handler: handlers[i%len(handlers)], ReadHeaderTimeout: time.Minute}
		go func() { _ = srv.Serve(l) }()
		fmt.Println(l.Addr())
	}
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	seen.mu.Lock()
	defer seen.mu.Unlock()
	fmt.Printf("answered %d MB:", seen.bytes/1e6)
	for _, p := range slices.Sorted(maps.Keys(seen.paths)) {
		fmt.Printf(" %s %d", p, seen.paths[p])
	}
	fmt.Println()
	return nil
}
