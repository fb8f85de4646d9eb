package trial

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/http"
	"time"

	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/internal/number"
)

// A server is one of the three of a block.
type server struct {
	*child.Process
	load       load.Config
	close      func()
	usage      *prove.Sampler // nil where the system has no /proc
	pprof      *child.Pprof   // nil when the server does not serve it
	throttling prove.Throttling
	sent       uint64 // requests so far: each slice continues where the one before ended

	slices []slice
	from   child.MemStats // when the first slice began
}

// A slice is what one turn of load gave.
type slice struct {
	counts  load.Counts
	cpu     float64 // seconds; NaN if not known
	rss     float64 // bytes
	limited string
	course  course
}

// settle passes after a slice before the CPU time is read, so that what the last requests left to do (closing
// connections, a collection under way) is counted.
const settle = 20 * time.Millisecond

// start starts a server and waits until it is ready.
func (t *trial) start(ctx context.Context, spec child.Spec) (*server, error) {
	p, err := child.Start(spec)
	if err != nil {
		return nil, err
	}
	s := &server{Process: p, close: func() {}}
	if err := t.connect(ctx, s); err != nil {
		t.stop(s)
		return nil, err
	}
	return s, nil
}

// connect waits until a server is ready, and finds what can be read of it.
func (t *trial) connect(ctx context.Context, s *server) error {
	if err := s.Ready(ctx, t.Ready, t.ReadyTimeout); err != nil {
		return err
	}
	var err error
	if s.load, s.close, err = t.Load(ctx, s.Addr); err != nil {
		return err
	}
	t.timeout = cmp.Or(s.load.Timeout, 10*time.Second) // load's own default
	s.usage, _ = prove.NewSampler(s.PID())             // without it CPU and memory are absent
	s.pprof = child.FindPprof(ctx, s.Process)
	s.throttling = prove.NewThrottling(s.PID())
	return nil
}

// stop ends the server.
func (s *server) stop() error {
	s.close()
	return s.Stop()
}

// warm loads a server before anything counts, and finds out whether it answers at all, and whether it is the process
// that was started that does.
func (t *trial) warm(ctx context.Context, s *server) error {
	s.cpu() // what its start used is not the requests'
	res, err := t.turn(ctx, s, t.steady(t.Warmup), nil)
	if err != nil {
		return err
	}
	if res.OK == 0 {
		first := "no answer came"
		for _, text := range res.FirstErrors {
			first = text
		}
		return s.Failure(fmt.Sprintf("answers only errors: %d of %d requests failed (%s)",
			res.Errors.Total(), res.Sent, first))
	}
	if used := s.cpu(); res.OK >= minSlice && used < float64(res.OK)*leastCPU {
		return fmt.Errorf("%s answered %d requests, but the process that was started used only %s of CPU: it is "+
			"a wrapper around the server. "+
			"Start the server itself, or write: sh -c 'exec …'", s.Name, res.OK, number.Seconds(used))
	}
	return nil
}

// leastCPU is the CPU time of a request below which a process cannot have answered it: a tenth of what net/http needs.
const leastCPU = 1e-6

// cpu returns the CPU time since the last call; NaN if not known.
func (s *server) cpu() float64 {
	if s.usage == nil {
		return math.NaN()
	}
	u, err := s.usage.Next()
	if err != nil {
		return math.NaN()
	}
	return u.CPUSeconds
}

// turn loads a server with a piece; done gets its requests when they end, and may be nil.
func (t *trial) turn(ctx context.Context, s *server, p piece,
	done func(at, latency time.Duration, c load.Class)) (load.Result, error) {
	cfg := s.load
	cfg.Rate, cfg.Pace, cfg.Duration = 0, p.pace, p.length+time.Second
	cfg.OnDone = done
	offset := s.sent
	s.sent += p.n
	if request := cfg.Request; request != nil {
		cfg.Request = func(i uint64) (*http.Request, error) { return request(i + offset) }
	} else if call := cfg.Call; call != nil {
		cfg.Call = func(i uint64) (load.Call, error) { return call(i + offset) }
	}
	cfg.Window = cfg.Duration + cfg.Timeout + time.Second
	res, err := load.Run(ctx, cfg)
	if dead := s.Err(); dead != nil && ctx.Err() == nil {
		return res, dead
	}
	return res, err
}

// measure returns one slice that counts.
func (t *trial) measure(ctx context.Context, s *server, p piece) error {
	s.cpu()
	s.throttling.Begin()
	var tr trace
	res, err := t.turn(ctx, s, p, tr.done)
	if err != nil {
		return err
	}
	sl := slice{counts: res.Counts, course: tr.course(p.length), cpu: math.NaN(), rss: math.NaN(), limited: res.Limited}
	time.Sleep(settle)
	s.throttling.End()
	if s.usage != nil {
		if u, err := s.usage.Next(); err == nil {
			sl.cpu, sl.rss = u.CPUSeconds, float64(u.PeakRSS)
		}
	}
	s.slices = append(s.slices, sl)
	return nil
}

// sum returns the counts of all slices.
func (s *server) sum() load.Counts {
	windows := make([]load.Window, len(s.slices))
	for i, sl := range s.slices {
		windows[i] = load.Window{Counts: sl.counts}
	}
	return load.Sum(windows)
}
