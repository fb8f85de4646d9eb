package trial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/load/rpc"
	"github.com/gocasebook/casebook/app/load/targets"
)

// Drive sends a service its load until ctx ends, and says what came of each piece of it.
func Drive(ctx context.Context, addr string, pieces []Load, length time.Duration) ([]load.Result, error) {
	results := make([]load.Result, len(pieces))
	var group errgroup.Group
	for i := range pieces {
		group.Go(func() (err error) {
			results[i], err = pieces[i].drive(ctx, addr, length)
			if ctx.Err() != nil {
				return nil // the end of the trial
			}
			return err
		})
	}
	return results, group.Wait()
}

// drive sends one piece of the load.
func (l *Load) drive(ctx context.Context, addr string, length time.Duration) (load.Result, error) {
	timer := time.NewTimer(time.Duration(l.From))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
		return load.Result{}, nil
	}
	cfg, end, err := l.config(ctx, addr)
	if err != nil {
		return load.Result{}, fmt.Errorf("load %q: %w", l.Pace, err)
	}
	defer end()
	cfg.Duration = length - time.Duration(l.From)
	if cfg.Duration <= 0 {
		return load.Result{}, errors.New("the load begins after its end")
	}
	return load.Run(ctx, cfg)
}

// config is the piece as package load wants it. end must be called.
func (l *Load) config(ctx context.Context, addr string) (cfg load.Config, end func(), err error) {
	schedule, err := load.ParseSchedule(l.Pace)
	if err != nil {
		return cfg, nil, err
	}
	cfg = load.Config{Pace: schedule.Pace, Timeout: time.Duration(l.Timeout), MaxInFlight: 20_000}
	set, err := targets.Compile(l.list(addr), targets.Options{Base: "http://" + addr, Seed: 1})
	if err != nil {
		return cfg, nil, err
	}
	if !strings.HasPrefix(l.Targets[0].URL, "grpc:") {
		cfg.Request = set.Request
		return cfg, func() {}, nil
	}
	caller := rpc.New(rpc.Config{Dial: load.NewGuard(nil).Dialer(10 * time.Second)})
	cfg.Call = func(i uint64) (load.Call, error) {
		req, err := set.Request(i)
		if err != nil {
			return nil, err
		}
		call, err := caller.Prepare(ctx, i, req)
		if err != nil {
			return nil, err
		}
		return call.Do, nil
	}
	return cfg, caller.Close, nil
}

// list is the piece's targets as package targets wants them.
func (l *Load) list(addr string) []targets.Target {
	var list []targets.Target
	for _, t := range l.Targets {
		url := t.URL
		if method, ok := strings.CutPrefix(url, "grpc:"); ok {
			url = "grpc://" + addr + method
		}
		header := http.Header{}
		if t.Body != "" {
			header.Set("Content-Type", cmp.Or(t.Type, "application/json"))
		}
		for name, value := range t.Header {
			header.Set(name, value)
		}
		list = append(list, targets.Target{Method: t.Method, URL: url, Header: header, Body: []byte(t.text())})
	}
	return list
}
