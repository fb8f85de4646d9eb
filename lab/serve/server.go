package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"
)

// A Service is a handler on a listener.
type Service struct {
	name     string // for people
	listener net.Listener
	server   *http.Server
	cut      bool // when stopping, its requests in flight are cut off once the other services have stopped
}

// Listen opens the address of a service, which the named flag gave.
func Listen(ctx context.Context, name, flag, address string, server *http.Server) (*Service, error) {
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listening for %s: %w; give another address with -%s", name, err, flag)
	}
	return &Service{name: name, listener: listener, server: server}, nil
}

// Address is where the service really listens.
func (s *Service) Address() string { return s.listener.Addr().String() }

// API is a server for small requests and answers.
func API(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 2 * time.Second,
		ReadTimeout:       10 * time.Second, // a full /sync over a slow line
		WriteTimeout:      10 * time.Second,
		IdleTimeout:       90 * time.Second,
		MaxHeaderBytes:    16 << 10,
	}
}

// pprofServer is a server for profiles. It has no write timeout: a profile takes as long as its reader asks.
func pprofServer() *http.Server {
	return &http.Server{
		Handler:           profiles(),
		ReadHeaderTimeout: 2 * time.Second,
		ReadTimeout:       10 * time.Second,
		IdleTimeout:       90 * time.Second,
		MaxHeaderBytes:    16 << 10,
	}
}

// Serve runs services until ctx ends or one fails, then stops them: it waits up to drain for the requests in flight and
// cuts off the rest. stopping is called once before that.
func Serve(ctx context.Context, log *slog.Logger, drain time.Duration, stopping func(), services ...*Service) error {
	group, ctx := errgroup.WithContext(ctx)
	for _, s := range services {
		group.Go(func() error {
			if err := s.server.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
				return fmt.Errorf("serving %s: %w", s.name, err)
			}
			return nil
		})
	}
	group.Go(func() error {
		<-ctx.Done()
		stopping()
		log.Info("stopping", "drain", drain)
		return stop(drain, services)
	})
	return group.Wait()
}

// stop shuts the services down: first, at the same time, those whose requests count, then those that are cut.
func stop(drain time.Duration, services []*Service) error {
	ctx, cancel := context.WithTimeout(context.Background(), drain)
	defer cancel()
	var group errgroup.Group
	for _, s := range services {
		if !s.cut {
			group.Go(func() error { return s.drain(ctx, drain) })
		}
	}
	err := group.Wait()
	for _, s := range services {
		if s.cut {
			err = errors.Join(err, s.server.Close())
		}
	}
	return err
}

// drain waits for the requests in flight until ctx ends, then cuts them off.
func (s *Service) drain(ctx context.Context, limit time.Duration) error {
	err := s.server.Shutdown(ctx)
	if err == nil {
		return nil
	}
	err = fmt.Errorf("draining %s for %v: %w; the requests left were cut off", s.name, limit, err)
	return errors.Join(err, s.server.Close())
}

// CloseAll closes the listeners of services that were never served.
func CloseAll(services []*Service) {
	for _, s := range services {
		_ = s.listener.Close()
	}
}
