// Profiles knows users: what they are called, what they like and how often they came.
package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"

	"github.com/gocasebook/casebook/lab/trial/kit"
	"github.com/gocasebook/casebook/lab/trial/profiles/profilespb"
)

type server struct {
	profilespb.UnimplementedProfilesServer
	users *users
}

func (s *server) Get(_ context.Context, in *profilespb.GetRequest) (*profilespb.Profile, error) {
	p, ok := s.users.get(in.GetId())
	if !ok {
		return nil, status.Errorf(codes.NotFound, "no user %q", in.GetId())
	}
	return p, nil
}

func (s *server) Visit(_ context.Context, in *profilespb.GetRequest) (*profilespb.Profile, error) {
	p, ok := s.users.visit(in.GetId())
	if !ok {
		return nil, status.Errorf(codes.NotFound, "no user %q", in.GetId())
	}
	return p, nil
}

// observe counts and times the calls, under the names of go-grpc-middleware.
func observe(registry prometheus.Registerer) grpc.UnaryServerInterceptor {
	labels := []string{"grpc_method", "grpc_code"}
	handled := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "grpc_server_handled_total"}, labels)
	took := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "grpc_server_handling_seconds"}, labels[:1])
	registry.MustRegister(handled, took)
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
		start := time.Now()
		resp, err := next(ctx, req)
		took.WithLabelValues(info.FullMethod).Observe(time.Since(start).Seconds())
		handled.WithLabelValues(info.FullMethod, status.Code(err).String()).Inc()
		return resp, err
	}
}

func run(ctx context.Context, env *kit.Env) error {
	listener, err := net.Listen("tcp", env.Addr)
	if err != nil {
		return fmt.Errorf("listening: %w", err)
	}
	g := grpc.NewServer(grpc.UnaryInterceptor(observe(env.Metrics)))
	profilespb.RegisterProfilesServer(g, &server{users: sampleUsers(5000)})
	reflection.Register(g)
	debug := &http.Server{Addr: env.Debug, Handler: env.DebugMux(), ReadHeaderTimeout: 10 * time.Second}
	failed := make(chan error, 2)
	go func() { failed <- debug.ListenAndServe() }()
	go func() { failed <- g.Serve(listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serving: %w", err)
	case <-ctx.Done():
		g.Stop()
		return debug.Close()
	}
}

func main() {
	env := kit.Parse("profiles")
	ctx, cancel := kit.Context()
	defer cancel()
	env.Exit(run(ctx, env))
}
