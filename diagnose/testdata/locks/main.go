// Command locks runs one service whose requests wait for a lock, and writes two dumps of its goroutines: after eight
// seconds (way.8s.txt) and after 75, with the times that they have waited (way.75s.txt). Locks that were not given back
// as people forget it, and locks that somebody has.
//
//	cd diagnose/testdata/locks; for way in $(go run .); do go run . $way & done; wait; gzip *.txt
//
// evidence/cases/forms/locks keeps forty of the goroutines with one stack: more of them say nothing more.
package main

import (
	"bytes"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"time"
)

// Locks that were not given back.

// A wallet returns early when there is not enough money.
type wallet struct {
	mu      sync.Mutex
	balance map[string]int
}

func (w *wallet) spend(user string, n int) error {
	w.mu.Lock()
	if w.balance[user] < n {
		return errors.New("not enough")
	}
	w.balance[user] -= n
	w.mu.Unlock()
	return nil
}

func (w *wallet) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	if err := w.spend(r.FormValue("user"), 1); err != nil {
		http.Error(rw, err.Error(), http.StatusPaymentRequired)
	}
}

// A board panics at a request without a score; net/http recovers.
type board struct {
	mu  sync.Mutex
	top []int
}

func (b *board) add(rw http.ResponseWriter, r *http.Request) {
	var n int
	fmt.Sscan(r.FormValue("n"), &n)
	b.mu.Lock()
	at := n % 100
	if b.top[at] < n {
		b.top[at] = n
	}
	b.mu.Unlock()
	fmt.Fprintln(rw, at)
}

// A directory forgets RUnlock where a name is not known. Reads go on until somebody writes.
type directory struct {
	sync.RWMutex
	names map[string]string
}

func (d *directory) lookup(name string) (string, bool) {
	d.RLock()
	addr, ok := d.names[name]
	if !ok {
		return "", false
	}
	d.RUnlock()
	return addr, true
}

func (d *directory) refresh() {
	for range time.Tick(500 * time.Millisecond) {
		fresh := map[string]string{"a": "10.0.0.1", "b": "10.0.0.2"}
		d.Lock()
		d.names = fresh
		d.Unlock()
	}
}

// A sink's worker ends with the lock when its context does.
type sink struct {
	lock  sync.Mutex
	lines []string
}

func (s *sink) flush(ctx context.Context) {
	for {
		s.lock.Lock()
		select {
		case <-ctx.Done():
			return
		case <-time.After(20 * time.Millisecond):
		}
		s.lines = s.lines[:0]
		s.lock.Unlock()
		time.Sleep(10 * time.Millisecond)
	}
}

func (s *sink) write(rw http.ResponseWriter, r *http.Request) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.lines = append(s.lines, r.FormValue("user"))
}

// A catalog is locked by one call and given back by another, which an error skips.
type catalog struct {
	mu    sync.Mutex
	items map[string]int
}

func (c *catalog) begin() map[string]int { c.mu.Lock(); return c.items }
func (c *catalog) commit()               { c.mu.Unlock() }

type shop struct{ *catalog }

func (s *shop) order(rw http.ResponseWriter, r *http.Request) {
	items := s.begin()
	if _, ok := items[r.FormValue("user")]; !ok {
		http.NotFound(rw, r)
		return
	}
	items[r.FormValue("user")]--
	s.commit()
}

// Locks that somebody has, or that change hands.

// rates are fetched under the lock from somebody slow.
type rates struct {
	mu   sync.Mutex
	from string
	last string
}

func (s *rates) get(rw http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	resp, err := http.Get(s.from)
	if err != nil {
		return
	}
	b, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	s.last = string(b)
}

// An archive packs under the lock.
type archive struct {
	mu  sync.Mutex
	raw []byte
	out bytes.Buffer
}

func (a *archive) pack(rw http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.out.Reset()
	w, _ := flate.NewWriter(&a.out, 9)
	w.Write(a.raw)
	w.Close()
}

// An account is held by a report of another type for minutes.
type account struct {
	mu  sync.Mutex
	sum int
}

func (a *account) hold() func() { a.mu.Lock(); return a.mu.Unlock }
func (a *account) add(n int)    { a.mu.Lock(); a.sum += n; a.mu.Unlock() }

type report struct {
	of   *account
	from string
}

func (p *report) run(ctx context.Context) {
	release := p.of.hold()
	defer release()
	req, _ := http.NewRequestWithContext(ctx, "GET", p.from, nil)
	if resp, err := http.DefaultClient.Do(req); err == nil {
		resp.Body.Close()
	}
}

// A hub calls its listeners under the lock; one of them waits for somebody to read.
type hub struct {
	mu        sync.Mutex
	listeners []func(string)
}

func (h *hub) publish(rw http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, l := range h.listeners {
		l(r.FormValue("user"))
	}
}

// A counter is locked by everybody all the time.
type counter struct {
	mu sync.Mutex
	n  map[string]int
}

func (c *counter) count(user string) {
	c.mu.Lock()
	for i := range 2000 {
		c.n[user] += i
	}
	c.mu.Unlock()
}

// Two ledgers wait for each other.
type ledger struct {
	mu sync.Mutex
	n  int
}

func (l *ledger) move(to *ledger) {
	l.mu.Lock()
	defer l.mu.Unlock()
	time.Sleep(20 * time.Millisecond) // asks whether both may
	to.mu.Lock()
	defer to.mu.Unlock()
	l.n--
	to.n++
}

type bank struct{ a, b ledger }

func (b *bank) pay(rw http.ResponseWriter, r *http.Request) {
	if rand.IntN(2) == 0 {
		b.a.move(&b.b)
		return
	}
	b.b.move(&b.a)
}

// requests come ten a second at random, for two users in the main and for an unknown one after some seconds.
func requests(h http.Handler) {
	srv := httptest.NewServer(h)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}}
	for i := 0; ; i++ {
		user, n := string(rune('a'+i%2)), "7"
		if i%30 == 29 {
			user, n = "nobody", "-3"
		}
		go func() {
			if resp, err := client.Get(srv.URL + "/?user=" + user + "&n=" + n); err == nil {
				resp.Body.Close()
			}
		}()
		time.Sleep(time.Duration(rand.ExpFloat64() * float64(100*time.Millisecond)))
	}
}

// never is a service that does not answer.
func never() string {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { select {} })).URL
}

func slow(d time.Duration) string {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { time.Sleep(d) })).URL
}

func ways() map[string]func() http.Handler {
	return map[string]func() http.Handler{
		"lost-wallet": func() http.Handler { return &wallet{balance: map[string]int{"a": 1e6, "b": 1e6}} },
		"lost-board":  func() http.Handler { return http.HandlerFunc((&board{top: make([]int, 100)}).add) },
		"lost-directory": func() http.Handler {
			d := &directory{names: map[string]string{"a": "10.0.0.1", "b": "10.0.0.2"}}
			go d.refresh()
			return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
				addr, _ := d.lookup(r.FormValue("user"))
				fmt.Fprintln(rw, addr)
			})
		},
		"lost-sink": func() http.Handler {
			s := &sink{}
			ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
			go func() { defer cancel(); s.flush(ctx) }()
			return http.HandlerFunc(s.write)
		},
		"lost-catalog": func() http.Handler {
			return http.HandlerFunc((&shop{&catalog{items: map[string]int{"a": 1e6, "b": 1e6}}}).order)
		},
		"held-rates": func() http.Handler { return http.HandlerFunc((&rates{from: slow(300 * time.Millisecond)}).get) },
		"held-archive": func() http.Handler {
			raw := make([]byte, 4<<20)
			for i := range raw {
				raw[i] = byte(rand.IntN(16))
			}
			return http.HandlerFunc((&archive{raw: raw}).pack)
		},
		"held-report": func() http.Handler {
			a, from := &account{}, never()
			time.AfterFunc(3*time.Second, func() { (&report{a, from}).run(context.Background()) })
			return http.HandlerFunc(func(http.ResponseWriter, *http.Request) { a.add(1) })
		},
		"held-hub": func() http.Handler {
			h, news := &hub{}, make(chan string)
			h.listeners = append(h.listeners, func(s string) { news <- s })
			go func() {
				for range 40 {
					<-news
				}
			}()
			return http.HandlerFunc(h.publish)
		},
		"held-counter": func() http.Handler {
			c := &counter{n: map[string]int{}}
			for range 40 {
				go func() {
					for {
						c.count("a")
					}
				}()
			}
			return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { c.count(r.FormValue("user")) })
		},
		"order-bank": func() http.Handler { return http.HandlerFunc((&bank{}).pay) },
	}
}

func main() {
	all := ways()
	if len(os.Args) < 2 {
		fmt.Println(strings.Join(slices.Sorted(maps.Keys(all)), "\n"))
		return
	}
	way := os.Args[1]
	go requests(all[way]())
	time.Sleep(8 * time.Second)
	dump(way + ".8s.txt")
	time.Sleep(5 * time.Second)
	runtime.GC() // the times count from the first collection that meets a goroutine
	time.Sleep(62 * time.Second)
	runtime.GC()
	dump(way + ".75s.txt")
}

func dump(file string) {
	f, err := os.Create(file)
	if err == nil {
		err = pprof.Lookup("goroutine").WriteTo(f, 2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	f.Close()
}
