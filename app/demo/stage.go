package demo

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gocasebook/casebook/app/lab/phones"
	"github.com/gocasebook/casebook/app/load"
)

// What the children print when they listen.
type (
	upstreamAddresses struct{ Items, Users, Tracking string }
	gatewayAddresses  struct{ Listen, Pprof string }
)

// The made-up world of the gateway's requests.
const (
	users = 1_000_000
	seed  = 1
)

// items is a little more than the cache holds, so that most requests find a warm entry and some push one out.
func (d *demo) items() int { return d.Entries + d.Entries/20 }

func (d *demo) startUpstreams(ctx context.Context) (stop func(), err error) {
	p, err := start(ctx, "the upstreams", d.Binary, []string{"lab", "upstreams"}, nil, &d.upstreams)
	if err != nil {
		return nil, err
	}
	return p.stop, nil
}

// A stage is one gateway under load.
type stage struct {
	variant string
	command string // to repeat it by hand
	gateway *process
	at      gatewayAddresses
	pid     int

	stopLoad context.CancelFunc
	loaded   sync.WaitGroup

	mu   sync.Mutex // guards what follows
	taps []chan<- load.Window
	err  error // of the load
}

// startStage starts a gateway with a cache and the load on it.
func (d *demo) startStage(ctx context.Context, cache string) (*stage, error) {
	args := []string{
		"lab", "phones", "-listen", "127.0.0.1:0", "-pprof", "127.0.0.1:0",
		"-cache", cache, "-set", "map",
		"-cache-size", strconv.Itoa(d.Entries), "-warm", strconv.Itoa(d.Entries),
		"-users", strconv.Itoa(users), "-items", strconv.Itoa(d.items()),
		"-items-url", "http://" + d.upstreams.Items,
		"-users-url", "http://" + d.upstreams.Users,
		"-tracking-url", "http://" + d.upstreams.Tracking,
	}
	env := []string{"GOMEMLIMIT=" + d.Memory, "GOGC=100"}
	s := &stage{variant: cache, command: strings.Join(env, " ") + " casebook " + strings.Join(args, " ")}
	var err error
	s.gateway, err = start(ctx, "the gateway", d.Binary, args, env, &s.at)
	if err != nil {
		return nil, err
	}
	s.pid = s.gateway.cmd.Process.Pid
	d.startLoad(ctx, s)
	return s, nil
}

// round is the length of a window of load and of a round of the proof; minRounds is what a verdict needs.
const (
	round     = 2 * time.Second
	minRounds = 6
)

// startLoad drives the gateway until the stage is stopped. A rate of 0 is no load.
func (d *demo) startLoad(ctx context.Context, s *stage) {
	ctx, s.stopLoad = context.WithCancel(ctx)
	if d.Rate == 0 {
		return
	}
	url := phones.Requests(seed, users, d.items(), "http://"+s.at.Listen)
	cfg := load.Config{
		Rate:     d.Rate,
		Duration: 24 * time.Hour,
		Timeout:  2 * time.Second,
		Window:   round,
		Request:  func(i uint64) (*http.Request, error) { return http.NewRequest(http.MethodGet, url(i), nil) },
		OnWindow: s.window,
	}
	s.loaded.Go(func() {
		_, err := load.Run(ctx, cfg)
		if ctx.Err() == nil {
			s.mu.Lock()
			s.err = fmt.Errorf("the load ended: %w", err)
			s.mu.Unlock()
		}
	})
}

// window hands a window of load to whoever measures.
func (s *stage) window(w load.Window) {
	s.mu.Lock()
	taps := s.taps
	s.mu.Unlock()
	for _, t := range taps {
		select {
		case t <- w:
		default: // nobody is waiting for it any more
		}
	}
}

// tap delivers the windows from now on.
func (s *stage) tap() <-chan load.Window {
	c := make(chan load.Window, 4)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taps = append(s.taps, c)
	return c
}

// failed says whether the gateway or the load has ended before it should.
func (s *stage) failed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return s.err
	}
	return s.gateway.failed()
}

// stop ends the load and then the gateway.
func (s *stage) stop() {
	s.stopLoad()
	s.loaded.Wait()
	s.gateway.stop()
}
