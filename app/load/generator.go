package load

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// A generator runs one load. Three kinds of goroutines belong to it, all joined by run: the dispatcher, which is run's own,
// the workers and the reporter of windows.
type generator struct {
	cfg    Config
	client *http.Client
	guard  *guard
	start  time.Time
	rec    *recorder

	arrivals chan arrival // unbuffered: a send succeeds at once only when a worker is idle
	workers  sync.WaitGroup
	started  int // workers, by the dispatcher
}

func newGenerator(cfg Config) *generator {
	g := &generator{cfg: cfg, guard: newGuard(cfg.AllowHosts), arrivals: make(chan arrival)}
	g.client = g.newClient()
	return g
}

// newClient is the client to send with: the caller's, or our own transport, which keeps every connection it has opened.
func (g *generator) newClient() *http.Client {
	client := &http.Client{}
	if g.cfg.Client != nil {
		*client = *g.cfg.Client
	} else {
		client.Transport = &http.Transport{
			DialContext:         g.guard.dial(g.cfg.Timeout),
			MaxIdleConnsPerHost: g.cfg.MaxInFlight,
			DisableCompression:  true, // the target's answer as it is, and no decompression at our cost
		}
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return client
}

// closeIdle closes the connections of our own transport.
func (g *generator) closeIdle() {
	if g.cfg.Client == nil {
		g.client.CloseIdleConnections()
	}
}

// run sends the schedule, waits for the answers and returns the figures. All time is measured from g.start.
func (g *generator) run(ctx context.Context) (Result, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	g.start = time.Now()
	g.rec = newRecorder(g.start, g.cfg.Timeout)
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
	return g.rec.result(sentUntil), err
}

// now is the offset from the start of the run.
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
		g.send(ctx, a)
	}
}

// arrival builds the i-th request.
func (g *generator) arrival(ctx context.Context, i uint64, at time.Duration) (arrival, error) {
	req, err := g.cfg.Request(i)
	if err == nil && (req == nil || req.URL == nil) {
		err = errors.New("the Request function returned no request")
	}
	if err == nil {
		err = g.guard.check(ctx, req.URL)
	}
	if err != nil {
		return arrival{}, fmt.Errorf("building request %d: %w", i, err)
	}
	return arrival{at, req}, nil
}

// wait sleeps until an offset, unless ctx ends first or has ended.
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
	g.started++
	g.workers.Go(func() { g.work(ctx, a) })
}

func (g *generator) newWorker() *worker {
	w := &worker{client: &clientSender{client: g.client, timeout: g.cfg.Timeout}}
	if g.cfg.Client == nil {
		w.wire = newWire(g.guard.dial(g.cfg.Timeout), g.cfg.Timeout)
	}
	return w
}

// work sends a first arrival, then others until there are none.
func (g *generator) work(ctx context.Context, first arrival) {
	w := g.newWorker()
	defer w.close()
	g.perform(ctx, w, first)
	for a := range g.arrivals {
		g.perform(ctx, w, a)
	}
}

// perform sends one arrival and records how it went.
func (g *generator) perform(ctx context.Context, w *worker, a arrival) {
	g.rec.sent(g.now() - a.at)
	o := w.do(ctx, a.req)
	g.rec.done(o, g.now()-a.at)
}

// report closes all windows but the last, each at its time, until it is told to stop.
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
