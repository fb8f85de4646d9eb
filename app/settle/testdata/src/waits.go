package settled

import (
	"context"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

func first(ask func(int) string) string {
	answers := make(chan string)
	for i := range 3 {
		go func() {
			answers <- ask(i) //ask goroutine-leak: confirms answers, made at :\d+, has no buffer
		}()
	}
	return <-answers
}

func firstOfThree(ask func(int) string) string {
	answers := make(chan string, 3)
	for i := range 3 {
		go func() {
			answers <- ask(i) //ask goroutine-leak: adds the go statement at
		}()
	}
	return <-answers
}

func all(ask func(int) string) (out []string) {
	answers := make(chan string)
	go func() {
		for i := range 3 {
			answers <- ask(i) //ask goroutine-leak: adds the go statement at
		}
		close(answers)
	}()
	for a := range answers {
		out = append(out, a)
	}
	return out
}

func tooLate(w http.ResponseWriter, r *http.Request) {
	price := make(chan int)
	go func() {
		price <- 1 //ask goroutine-leak: confirms is one case of a select
	}()
	select {
	case <-price:
	case <-time.After(time.Second):
	}
}

func events(w http.ResponseWriter, r *http.Request) {
	ch := make(chan int)
	for {
		select { //ask goroutine-leak: contradicts ends with the request, too
		case <-ch:
		case <-r.Context().Done():
			return
		}
	}
}

func forgets(r *http.Request) {
	ctx := context.WithoutCancel(r.Context())
	ch := make(chan int)
	for {
		select { //ask goroutine-leak: confirms nothing cancels what
		case <-ch:
		case <-ctx.Done():
			return
		}
	}
}

func ticks(f func()) {
	t := time.NewTicker(time.Second)
	defer t.Stop()
	for range t.C { //ask goroutine-leak: confirms has no way out
		f()
	}
}

func ticksUntil(f func() bool) {
	t := time.NewTicker(time.Second)
	defer t.Stop()
	for range t.C { //ask goroutine-leak: silent
		if f() {
			return
		}
	}
}

type session struct {
	ctx    context.Context
	cancel context.CancelFunc
	other  context.Context
	stop   context.CancelFunc
}

func (s *session) open(root context.Context) {
	s.ctx, s.cancel = context.WithCancel(root)
	s.other, s.stop = context.WithCancel(root)
	go s.watch()
}

func (s *session) watch() {
	<-s.ctx.Done() //ask goroutine-leak: confirms nothing calls s.cancel
}

func (s *session) watchOther() {
	<-s.other.Done() //ask goroutine-leak: adds s.stop, which ends the wait
}

func (s *session) close() { s.stop() }

type board struct {
	mu   sync.Mutex
	cond *sync.Cond
	n    int
}

func (b *board) wait() {
	b.mu.Lock()
	for b.n == 0 {
		b.cond.Wait() //ask goroutine-leak: confirms Broadcast is called nowhere
	}
	b.mu.Unlock()
}

func (b *board) put() {
	b.n++
	b.cond.Signal()
}

type studio struct{ jobs chan int }

func newStudio() *studio {
	s := &studio{jobs: make(chan int)}
	go s.work()
	return s
}

func (s *studio) work() {
	for j := range s.jobs {
		draw(j)
	}
}

func draw(int) {}

func (s *studio) add(j int) {
	s.jobs <- j //ask chan-bottleneck: confirms s.jobs has no buffer .* does draw
}

type pool struct{ in chan int }

func (p *pool) a() { draw(<-p.in) }
func (p *pool) b() { draw(<-p.in) }

func (p *pool) add(j int) {
	p.in <- j //ask chan-bottleneck: silent
}

func spin(turn *atomic.Int64, mine int64) {
	for turn.Load() != mine {
		runtime.Gosched() //ask cpu-spin: confirms nothing in it waits
	}
}

func polite(turn *atomic.Int64, mine int64) {
	for turn.Load() != mine { //ask cpu-spin: contradicts waits at
		time.Sleep(10 * time.Millisecond)
	}
}

func brief(turn *atomic.Int64, mine int64) {
	for turn.Load() != mine { //ask cpu-spin: confirms sleeps for 20µs only
		time.Sleep(20 * time.Microsecond)
	}
}

func polls(ch chan int, stop *atomic.Bool) (n int) {
	for !stop.Load() {
		select { //ask cpu-spin: confirms nothing in it waits
		case v := <-ch:
			n += v
		default:
		}
	}
	return n
}

func (r *rates) each(names []string) {
	for _, n := range names {
		r.fetch(n) //ask net-round-trips: confirms for each of names, one after another
	}
}

func (r *rates) together(names []string) {
	for _, n := range names {
		go r.fetch(n) //ask net-round-trips: adds side by side
	}
}

func (r *rates) retries(c *http.Client, url string) (err error) {
	for range 5 {
		var res *http.Response
		if res, err = c.Get(url); err == nil { //ask net-round-trips: confirms nothing waits between two tries
			return res.Body.Close()
		}
	}
	return err
}

func (r *rates) backsOff(c *http.Client, url string) (err error) {
	for i := range 5 {
		var res *http.Response
		if res, err = c.Get(url); err == nil { //ask net-round-trips: confirms again and again, one after another
			return res.Body.Close()
		}
		time.Sleep(time.Duration(i) * time.Second)
	}
	return err
}

func (r *rates) single(name string) {
	r.helper(name) //ask net-round-trips: silent
}

func waitsEach(in chan int) {
	for range in {
		<-time.After(time.Second) //ask alloc-timer: confirms a timer in each turn of the loop
	}
}

func waitsOnce() {
	<-time.After(time.Second) //ask alloc-timer: silent
}
