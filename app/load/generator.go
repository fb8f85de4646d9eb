package load

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// A generator runs one load. Three kinds of goroutines belong to it, all joined by run: the dispatcher, which is run's
// own, the workers and the reporter of windows.
type generator struct {
	cfg   Config
	guard *Guard
	start time.Time
	rec   *recorder

	clients  []*http.Client
	arrivals chan arrival // unbuffered: a send succeeds at once only when a worker is idle
	workers  sync.WaitGroup
	started  int // workers, by the dispatcher
}

func newGenerator(cfg Config) *generator {
	g := &generator{cfg: cfg, guard: NewGuard(cfg.AllowHosts), arrivals: make(chan arrival)}
	for range max(cfg.Connections, 1) {
		g.clients = append(g.clients, newClient(&cfg, g.guard))
	}
	return g
}

// closeIdle closes the connections of our own transports.
func (g *generator) closeIdle() {
	if g.cfg.Client == nil {
		for _, c := range g.clients {
			c.CloseIdleConnections()
		}
	}
}

// run sends the schedule, waits for the answers and returns the figures. All time is measured from g.start.
func (g *generator) run(ctx context.Context) (Result, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	g.start = time.Now()
	g.rec = newRecorder(g.start, &g.cfg)
	cpu := startMeter()
	stop := make(chan struct{})
	var reporter sync.WaitGroup
	reporter.Go(func() { g.report(stop) })

	err := g.dispatch(ctx)
	sentUntil := g.now()
	if err != nil {
		cancel(err)
	}
	close(g.arrivals)
	g.workers.Wait()
	close(stop)
	reporter.Wait()
	// The caller may have cancelled while the last answers were awaited.
	if err == nil && ctx.Err() != nil {
		err = fmt.Errorf("waiting for the last answers: %w", context.Cause(ctx))
	}
	g.deliver(g.rec.closeWindow(sentUntil))
	return g.rec.result(sentUntil, cpu.stop()), err
}

// now returns the offset from the start of the run.
func (g *generator) now() time.Duration { return time.Since(g.start) }

// dispatch walks the schedule until its end, the run's, or an error.
func (g *generator) dispatch(ctx context.Context) error {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for i := uint64(0); ; i++ {
		at, ok := g.cfg.Pace(i)
		if !ok {
			return nil
		}
		if at >= g.cfg.Duration {
			return g.wait(ctx, timer, g.cfg.Duration)
		}
		a, err := g.arrival(ctx, i, at)
		if err != nil {
			return err
		}
		if err := g.wait(ctx, timer, at); err != nil {
			return err
		}
		if g.enough() {
			return nil
		}
		g.send(ctx, a)
	}
}

// arrival builds the i-th request.
func (g *generator) arrival(ctx context.Context, i uint64, at time.Duration) (arrival, error) {
	a, err := arrival{at: at}, error(nil)
	if g.cfg.Call != nil {
		a.call, err = g.cfg.Call(i)
		if err == nil && a.call == nil {
			err = errors.New("the Call function returned no call")
		}
	} else {
		a.req, err = g.request(ctx, i)
	}
	if err != nil {
		return arrival{}, fmt.Errorf("building request %d: %w", i, err)
	}
	return a, nil
}

func (g *generator) request(ctx context.Context, i uint64) (*http.Request, error) {
	req, err := g.cfg.Request(i)
	if err != nil {
		return nil, err
	}
	if req == nil || req.URL == nil {
		return nil, errors.New("the Request function returned no request")
	}
	return req, g.guard.Check(ctx, req.URL)
}

// enough says that errors have passed their limit.
func (g *generator) enough() bool {
	select {
	case <-g.rec.enough:
		return true
	default:
		return false
	}
}

// wait sleeps until an offset, unless errors pass their limit, or ctx ends first or has ended.
func (g *generator) wait(ctx context.Context, timer *time.Timer, until time.Duration) error {
	d := until - g.now()
	if d <= 0 {
		if ctx.Err() != nil {
			return fmt.Errorf("sending: %w", context.Cause(ctx))
		}
		return nil
	}
	timer.Reset(d)
	select {
	case <-timer.C:
		return nil
	case <-g.rec.enough:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("sending: %w", context.Cause(ctx))
	}
}

// send hands an arrival to an idle worker, to a new one, or sheds it.
func (g *generator) send(ctx context.Context, a arrival) {
	select {
	case g.arrivals <- a:
		return
	default:
	}
	if g.started == g.cfg.MaxInFlight {
		g.rec.shed()
		return
	}
	n := g.started
	g.started++
	g.workers.Go(func() { g.work(ctx, n, a) })
}

// newWorker returns the n-th worker. Connections of HTTP/2 are shared out among the workers.
func (g *generator) newWorker(n int) *worker {
	w := &worker{client: &clientSender{client: g.clients[n%len(g.clients)], timeout: g.cfg.Timeout}}
	if g.cfg.Client == nil && g.cfg.Protocol != HTTP2 {
		w.wire = newWire(g.guard.Dialer(g.cfg.Timeout), g.cfg.Timeout)
	}
	return w
}

// work sends a first arrival, then others until there are none, as the n-th worker.
func (g *generator) work(ctx context.Context, n int, first arrival) {
	w := g.newWorker(n)
	defer w.close()
	g.perform(ctx, w, first)
	for a := range g.arrivals {
		g.perform(ctx, w, a)
	}
}

// perform sends one arrival and records how it went.
func (g *generator) perform(ctx context.Context, w *worker, a arrival) {
	g.rec.sent(g.now() - a.at)
	o := w.do(ctx, a)
	g.rec.done(o, a.at, g.now()-a.at)
}

// report closes all windows but the last, each at its time, until it has to stop.
func (g *generator) report(stop <-chan struct{}) {
	for k := 1; k < g.cfg.windows(); k++ {
		end := time.Duration(k) * g.cfg.Window
		if g.now() >= end+g.cfg.Window {
			continue // OnWindow was slow: this window joins the next
		}
		select {
		case <-time.After(end - g.now()):
			g.deliver(g.rec.closeWindow(g.now()))
		case <-stop:
			return
		}
	}
}

func (g *generator) deliver(w Window) {
	if g.cfg.OnWindow != nil {
		g.cfg.OnWindow(w)
	}
}
