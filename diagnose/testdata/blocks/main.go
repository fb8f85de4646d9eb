// Command blocks runs one program that keeps a large slice or buffer and writes two heap profiles, five seconds apart:
// programs that only ever add to it, as people keep samples, records and output, and programs whose blocks come and go,
// or stay.
//
//	cd diagnose/testdata/blocks; for way in $(go run .); do go run . $way; done
package main

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"time"
)

// Programs that only add.

// latencies are kept for the percentiles of a page.
type latencies struct{ all []float64 }

func (l *latencies) observe(seconds float64) { l.all = append(l.all, seconds) }

type access struct {
	at           int64
	method, path [48]byte
	status       int
}

type audit struct{ records []access }

func (a *audit) add(path string) {
	r := access{at: time.Now().UnixNano(), status: 200}
	copy(r.path[:], path)
	a.records = append(a.records, r)
}

// console keeps what the program logs, for a page that shows it.
type console struct {
	text bytes.Buffer
	log  *log.Logger
}

func newConsole() *console {
	c := &console{}
	c.log = log.New(&c.text, "", log.LstdFlags)
	return c
}

func (c *console) served(path string) { c.log.Printf("GET %s 200", path) }

// recorded answers are never read.
type recorded struct{ rec *httptest.ResponseRecorder }

func (r *recorded) answer() { fmt.Fprintf(r.rec, `{"id": %d, "name": "somebody"}`, rand.IntN(1e6)) }

// transcript is what was said.
type transcript struct{ said strings.Builder }

func (t *transcript) say(line string) {
	t.said.WriteString(line)
	t.said.WriteByte('\n')
}

// Programs whose blocks come and go, or stay.

type table struct{ rows []access }

func (t *table) load(n int) {
	for range n {
		t.rows = append(t.rows, access{})
	}
}

type uploads struct{ last []byte }

func (u *uploads) take(n int64) error {
	body, err := io.ReadAll(io.LimitReader(zeros{}, n))
	u.last = body[:min(len(body), 1<<10)]
	return err
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// a batch is written when it is full.
type batch struct {
	rows    []access
	written int
}

func (b *batch) add(most int) {
	if b.rows = append(b.rows, access{}); len(b.rows) >= most {
		b.written, b.rows = b.written+len(b.rows), nil
	}
}

// an index is built again from what there is, a little more each time.
type index struct{ ids []uint64 }

func (x *index) build(n int) {
	var ids []uint64
	for i := range n {
		ids = append(ids, uint64(i))
	}
	slices.Sort(ids)
	x.ids = ids
}

type ring struct {
	last []access
	next int
}

func (r *ring) add() {
	if len(r.last) < 200_000 {
		r.last = append(r.last, access{})
		return
	}
	r.last[r.next%len(r.last)] = access{}
	r.next++
}

// ways give a function for the time before the first profile and one for the time after it.
func ways() map[string]func() (before, after func()) {
	times := func(n int, f func(i int)) func() {
		return func() {
			for i := range n {
				f(i)
			}
		}
	}
	return map[string]func() (before, after func()){
		"adds-latencies": func() (func(), func()) {
			l := &latencies{}
			add := func(int) { l.observe(rand.ExpFloat64()) }
			return times(2e6, add), times(3e6, add)
		},
		"adds-audit": func() (func(), func()) {
			a := &audit{}
			add := func(int) { a.add("/items/7") }
			return times(2e5, add), times(2e5, add)
		},
		"adds-console": func() (func(), func()) {
			c := newConsole()
			add := func(int) { c.served("/items/7") }
			return times(4e5, add), times(8e5, add)
		},
		"adds-recorder": func() (func(), func()) {
			r := &recorded{httptest.NewRecorder()}
			add := func(int) { r.answer() }
			return times(4e5, add), times(8e5, add)
		},
		"adds-transcript": func() (func(), func()) {
			t := &transcript{}
			add := func(i int) { t.say(http.StatusText(200 + i%7)) }
			return times(2e6, add), times(3e6, add)
		},
		"keeps-table": func() (func(), func()) {
			t := &table{}
			return func() { t.load(4e5) }, func() {}
		},
		"keeps-uploads": func() (func(), func()) {
			u := &uploads{}
			take := func(int) { _ = u.take(8<<20 + rand.Int64N(16<<20)) }
			return times(5, take), times(5, take)
		},
		"keeps-batch": func() (func(), func()) {
			b := &batch{}
			add := func(int) { b.add(3e5) }
			return times(7e5, add), times(1e6, add)
		},
		"keeps-index": func() (func(), func()) {
			x, n := &index{}, 2_000_000
			build := func(int) { x.build(n); n += 200_000 }
			return times(3, build), times(3, build)
		},
		"keeps-ring": func() (func(), func()) {
			r := &ring{}
			add := func(int) { r.add() }
			return times(4e5, add), times(4e5, add)
		},
	}
}

func main() {
	all := ways()
	if len(os.Args) < 2 {
		fmt.Println(strings.Join(slices.Sorted(maps.Keys(all)), " "))
		return
	}
	way := os.Args[1]
	before, after := all[way]()
	before()
	save(way + ".1.pb.gz")
	time.Sleep(5 * time.Second)
	after()
	save(way + ".2.pb.gz")
	runtime.KeepAlive(before)
}

func save(name string) {
	runtime.GC()
	f, err := os.Create(name)
	if err != nil {
		log.Fatal(err)
	}
	if err := pprof.Lookup("heap").WriteTo(f, 0); err != nil {
		log.Fatal(err)
	}
	if err := f.Close(); err != nil {
		log.Fatal(err)
	}
}
