// Bourse matches orders. They come in batches over HTTP; one worker for a share of the symbols matches them.
package main

import (
	"encoding/json"
	"fmt"
	"hash/maphash"
	"log/slog"
	"math/rand/v2"
	"net/http"
	_ "net/http/pprof"
	"os"
	"strings"
	"sync/atomic"

	"github.com/gocasebook/casebook/lab/holdout4/internal/drive"
)

// tracer is what every part of the service logs with.
type tracer struct {
	log  *slog.Logger
	part string
}

func (t *tracer) tracef(format string, args ...any) {
	t.log.Debug(fmt.Sprintf(format, args...), "part", t.part)
}

func (t *tracer) failed(what string, err error) {
	t.log.Error(what, "part", t.part, "err", err)
}

// engine matches the orders of its symbols.
type engine struct {
	tracer
	books  map[string]*Book
	orders chan []Order
	trades atomic.Int64
	volume atomic.Int64
}

func newEngine(log *slog.Logger, n int) *engine {
	return &engine{
		tracer: tracer{log, fmt.Sprintf("engine-%d", n)},
		books:  map[string]*Book{},
		orders: make(chan []Order, 64),
	}
}

func (e *engine) run() {
	for batch := range e.orders {
		for _, o := range batch {
			e.match(o)
		}
	}
}

func (e *engine) match(o Order) {
	b := e.books[o.Symbol]
	if b == nil {
		b = &Book{Symbol: o.Symbol}
		e.books[o.Symbol] = b
	}
	e.tracef("matching %+v against %+v", o, *b)
	left, trades := b.fill(o)
	for _, t := range trades {
		e.trades.Add(1)
		e.volume.Add(t.Size * t.Price)
	}
	if left.Size > 0 {
		b.rest(left)
		e.tracef("%d of %d left", left.Size, o.Size)
	}
}

type exchange struct {
	tracer
	engines []*engine
	seed    maphash.Seed
}

func (x *exchange) post(w http.ResponseWriter, r *http.Request) {
	var batch []Order
	if err := json.NewDecoder(r.Body).Decode(&batch); err != nil {
		x.failed("reading orders", err)
		http.Error(w, "not orders", http.StatusBadRequest)
		return
	}
	parts := make([][]Order, len(x.engines))
	for _, o := range batch {
		n := maphash.String(x.seed, o.Symbol) % uint64(len(parts))
		parts[n] = append(parts[n], o)
	}
	for i, p := range parts {
		if len(p) > 0 {
			x.engines[i].orders <- p
		}
	}
	w.WriteHeader(http.StatusAccepted)
}

func (x *exchange) stats(w http.ResponseWriter, r *http.Request) {
	var trades, volume int64
	for _, e := range x.engines {
		trades += e.trades.Load()
		volume += e.volume.Load()
	}
	fmt.Fprintf(w, "trades %d\nvolume %d\n", trades, volume)
}

func batch(i int) string {
	var b strings.Builder
	for k := range 40 {
		if k > 0 {
			b.WriteByte(',')
		}
		side := rand.IntN(2)
		fmt.Fprintf(&b, `{"id":%d,"symbol":"SYM%d","side":%d,"price":%d,"size":%d,"owner":"broker-%d"}`,
			i*40+k, rand.IntN(80), side, 1000+rand.IntN(14)-side*4, 1+rand.IntN(20), rand.IntN(30))
	}
	return "[" + b.String() + "]"
}

func main() {
	p := drive.Flags()
	if p.Load {
		drive.HTTP(180, func(i int) *http.Request {
			return drive.Send(http.MethodPost, p.Main(), "/orders", batch(i))
		})
	}
	log := slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelInfo}))
	x := &exchange{tracer: tracer{log, "http"}, seed: maphash.MakeSeed()}
	for n := range 2 {
		e := newEngine(log, n)
		x.engines = append(x.engines, e)
		go e.run()
	}
	http.HandleFunc("POST /orders", x.post)
	http.HandleFunc("GET /stats", x.stats)
	x.failed("serving", http.ListenAndServe(p.Main(), nil))
	os.Exit(1)
}
