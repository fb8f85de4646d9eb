package faults

import (
	"context"
	"errors"
	"expvar"
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"runtime"
	"sync"
	"time"

	"github.com/gocasebook/casebook/lab/faults/shop"
)

// Addresses are where a served variant can be reached, as URLs without a path.
type Addresses struct {
	Service string `json:"service"`
	Pprof   string `json:"pprof"`
}

// endTime is how long Serve waits for background work when it ends. Work that outlives it is the fault's own leak.
const endTime = 2 * time.Second

// Serve runs a variant of f on free ports of the loopback until ctx ends, which is no error. ready is called once both
// ports answer. It sets the process's mutex and block profile rates, so it is for a process of its own.
func Serve(ctx context.Context, f *Fault, variant string, ready func(Addresses)) error {
	made, err := f.Variant(variant)
	if err != nil {
		return err
	}
	runtime.SetMutexProfileFraction(f.MutexFraction)
	runtime.SetBlockProfileRate(f.BlockRate)
	service := made()
	store := shop.New()

	ctx, cancel := context.WithCancel(ctx)
	var servers, background sync.WaitGroup
	failed := make(chan error, 2) // one a server
	defer servers.Wait()
	defer cancel()
	listen := func(h http.Handler) (url string, err error) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return "", fmt.Errorf("listening on the loopback: %w", err)
		}
		servers.Go(func() { failed <- serve(ctx, l, h) })
		return "http://" + l.Addr().String(), nil
	}
	var at Addresses
	if at.Service, err = listen(routes(service.Handler, store)); err != nil {
		return err
	}
	if at.Pprof, err = listen(debugRoutes(f.Expvar)); err != nil {
		return err
	}
	background.Go(func() { store.Run(ctx) })
	if service.Background != nil {
		background.Go(func() { service.Background(ctx) })
	}
	ready(at)
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	cancel()
	awaitAtMost(&background, endTime)
	return err
}

// serve answers until ctx ends, then drops what is open: a faulty service may never finish it.
func serve(ctx context.Context, l net.Listener, h http.Handler) error {
	srv := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() { srv.Close() })
	defer stop()
	if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving %s: %w", l.Addr(), err)
	}
	return nil
}

func routes(fault http.Handler, store *shop.Shop) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/shop/", store.Handler())
	if fault != nil {
		mux.Handle("/", fault)
	}
	return mux
}

func debugRoutes(numbers bool) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	if numbers {
		mux.Handle("/debug/vars", expvar.Handler())
	}
	return mux
}

func awaitAtMost(g *sync.WaitGroup, d time.Duration) {
	done := make(chan struct{})
	go func() { // ends with the group; a group that never ends is the fault's own leak
		g.Wait()
		close(done)
	}()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
}
