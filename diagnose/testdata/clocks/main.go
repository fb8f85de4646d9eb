// Command clocks runs one program that reads the clock all the time for five seconds and writes its CPU profile: loops
// that wait for a time or for something to happen, as people write them in drivers, games, traders and importers, and
// work that reads the clock for each of many things.
//
//	cd diagnose/testdata/clocks; for way in $(go run .); do go run . $way $way.pb.gz; done
package main

import (
	"bytes"
	"container/list"
	"encoding/json"
	"fmt"
	"log"
	"maps"
	"os"
	"runtime/pprof"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A remote sends infrared marks, whose lengths must be exact.
type remote struct {
	level atomic.Bool
	sent  int
}

func (r *remote) mark(d time.Duration) {
	r.level.Store(true)
	busyWait(d)
	r.level.Store(false)
	busyWait(d / 2)
	r.sent++
}

func busyWait(d time.Duration) {
	start := time.Now()
	for time.Since(start) < d {
	}
}

// A trader sends its order at a millisecond.
type trader struct{ orders int }

func (t *trader) waitForListing(ms int64) {
	for time.Now().UnixNano()/1e6 < ms {
	}
	t.orders++
}

// A device answers some time, or does not.
type device struct {
	mu       sync.Mutex
	answered bool
	lost     int
}

func (d *device) reply(timeout time.Duration) bool {
	deadline := time.Now().Add(timeout)
	for time.Now().Before(deadline) {
		d.mu.Lock()
		ok := d.answered
		d.mu.Unlock()
		if ok {
			return true
		}
	}
	d.lost++
	return false
}

// A world is computed 60 times a second.
type world struct {
	bodies []struct{ x, y, vx, vy float64 }
	ticks  int
}

func (w *world) run(end time.Time) {
	last := time.Now()
	for !last.After(end) {
		if now := time.Now(); now.Sub(last) >= time.Second/60 {
			w.update(now.Sub(last).Seconds())
			last = now
		}
	}
}

func (w *world) update(dt float64) {
	for i := range w.bodies {
		b := &w.bodies[i]
		b.x, b.y = b.x+b.vx*dt, b.y+b.vy*dt
	}
	w.ticks++
}

// A limiter allows so many a second.
type limiter struct {
	mu   sync.Mutex
	rate float64
	last time.Time
}

func (l *limiter) allow() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if now.Sub(l.last).Seconds() < 1/l.rate {
		return false
	}
	l.last = now
	return true
}

func importRows(l *limiter, rows int) (bytes int) {
	for i := range rows {
		for !l.allow() {
			continue
		}
		bytes += len(fmt.Sprintf("row %d", i))
	}
	return bytes
}

// Sessions end.
type session struct {
	id      string
	user    string
	expires time.Time
}

func expired(all map[string]session) (n int) {
	for _, s := range all {
		if time.Now().After(s.expires) {
			n++
		}
	}
	return n
}

func oldest(queue *list.List, age time.Duration) (ids []string) {
	for e := queue.Front(); e != nil; e = e.Next() {
		if s := e.Value.(*session); time.Since(s.expires) > age {
			ids = append(ids, s.id)
		}
	}
	return ids
}

// A histogram counts how long each call took.
type histogram struct {
	mu     sync.Mutex
	counts [20]int
}

func (h *histogram) observe(d time.Duration) {
	h.mu.Lock()
	h.counts[sort.Search(len(h.counts)-1, func(i int) bool { return d < time.Microsecond<<i })]++
	h.mu.Unlock()
}

func timed(h *histogram, docs [][]byte) (n int) {
	for _, d := range docs {
		start := time.Now()
		n += bytes.Count(d, []byte{','})
		h.observe(time.Since(start))
	}
	return n
}

type logger struct {
	out   bytes.Buffer
	lines int
}

func (l *logger) print(text string) {
	l.out.Reset()
	l.out.WriteString(time.Now().Format(time.RFC3339Nano))
	l.out.WriteString(" ")
	l.out.WriteString(text)
	l.lines++
}

func events(docs [][]byte) (at []time.Time) {
	for _, d := range docs {
		var e struct{ ID int }
		if json.Unmarshal(d, &e) == nil {
			at = append(at, time.Now())
		}
	}
	return at
}

func ways() map[string]func(end time.Time) {
	sessions, queue := make(map[string]session), list.New()
	var docs [][]byte
	for i := range 2000 {
		s := session{id: fmt.Sprint("s", i), expires: time.Now().Add(time.Hour)}
		sessions[s.id] = s
		queue.PushBack(&s)
		docs = append(docs, fmt.Appendf(nil, `{"ID": %d, "Tags": ["a", "b"]}`, i))
	}
	each := func(f func()) func(time.Time) {
		return func(end time.Time) {
			for time.Now().Before(end) {
				for range 20 {
					f()
				}
			}
		}
	}
	r, t, d, l, h, w := &remote{}, &trader{}, &device{}, &limiter{rate: 2000}, &histogram{}, &world{}
	w.bodies = make([]struct{ x, y, vx, vy float64 }, 200)
	lines := &logger{}
	return map[string]func(time.Time){
		"wait-marks":    each(func() { r.mark(time.Millisecond) }),
		"wait-listing":  each(func() { t.waitForListing(time.Now().UnixMilli() + 5) }),
		"wait-reply":    each(func() { d.reply(5 * time.Millisecond) }),
		"wait-frames":   w.run,
		"wait-limiter":  each(func() { importRows(l, 20) }),
		"read-sessions": each(func() { expired(sessions) }),
		"read-queue":    each(func() { oldest(queue, time.Minute) }),
		"read-timed":    each(func() { timed(h, docs) }),
		"read-log":      each(func() { lines.print("GET /items 200") }),
		"read-events":   each(func() { events(docs) }),
	}
}

func main() {
	all := ways()
	if len(os.Args) < 3 {
		fmt.Println(strings.Join(slices.Sorted(maps.Keys(all)), " "))
		return
	}
	f, err := os.Create(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		log.Fatal(err)
	}
	all[os.Args[1]](time.Now().Add(5 * time.Second))
	pprof.StopCPUProfile()
	if err := f.Close(); err != nil {
		log.Fatal(err)
	}
}
