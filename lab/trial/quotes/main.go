// Quotes says by gRPC what an amount of one currency is in another, by the rates of a provider.
package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"

	"github.com/gocasebook/casebook/lab/trial/kit"
	"github.com/gocasebook/casebook/lab/trial/quotes/quotespb"
)

type server struct {
	quotespb.UnimplementedQuotesServer
	rates *rates
}

func (s *server) Quote(ctx context.Context, in *quotespb.QuoteRequest) (*quotespb.QuoteReply, error) {
	if len(in.GetPair()) != 6 {
		return nil, status.Errorf(codes.InvalidArgument, "pair %q: want six letters like EURUSD", in.GetPair())
	}
	rate, err := s.rates.get(ctx, in.GetPair())
	if err != nil {
		return nil, status.Errorf(codes.Unavailable, "rate of %s: %v", in.GetPair(), err)
	}
	return &quotespb.QuoteReply{Pair: in.GetPair(), Rate: rate, Amount: int64(float64(in.GetAmount()) * rate)}, nil
}

func run(ctx context.Context, env *kit.Env) error {
	listener, err := net.Listen("tcp", env.Addr)
	if err != nil {
		return fmt.Errorf("listening: %w", err)
	}
	g := grpc.NewServer(grpc.ConnectionTimeout(10 * time.Second))
	quotespb.RegisterQuotesServer(g, &server{rates: newRates(env.Backend)})
	reflection.Register(g)
	debug := &http.Server{Addr: env.Debug, Handler: env.DebugMux(), ReadHeaderTimeout: 10 * time.Second}
	failed := make(chan error, 2)
	go func() { failed <- debug.ListenAndServe() }()
	go func() { failed <- g.Serve(listener) }()
	env.Log.Info("serving", "addr", env.Addr, "debug", env.Debug)
	select {
	case err := <-failed:
		return fmt.Errorf("serving: %w", err)
	case <-ctx.Done():
		g.Stop()
		return debug.Close()
	}
}

func main() {
	env := kit.Parse("quotes")
	ctx, cancel := kit.Context()
	defer cancel()
	env.Exit(run(ctx, env))
}
