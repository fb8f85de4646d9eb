package feature

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"github.com/gocasebook/casebook/lab/serve"
)

// ComputeMain runs the compute tier: "lab compute" with args. When it listens it prints {"listen":"host:port",
// "pprof":"host:port"} to stdout, then serves until ctx ends or SIGTERM or SIGINT comes, and stops gracefully. It
// returns the exit code: 0 stopped as asked, 1 failed, 2 wrong flags.
func ComputeMain(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c, err := parseComputeConfig(args, stderr)
	if err != nil {
		return serve.Usage(err, "compute", stderr)
	}
	return serve.Run(ctx, stderr, func(ctx context.Context, log *slog.Logger) error {
		return runCompute(ctx, c, stdout, log)
	})
}

// runCompute serves until ctx ends.
func runCompute(ctx context.Context, c ComputeConfig, stdout io.Writer, log *slog.Logger) (err error) {
	if err := c.SetUp(); err != nil {
		return err
	}
	s, err := NewCompute(c, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	services, where, err := c.Open(ctx, s)
	if err != nil {
		return err
	}
	if err := serve.Announce(stdout, where, services); err != nil {
		return err
	}
	log.Info("listening", "listen", where.Listen, "pprof", where.Pprof, "cache", c.Cache, "join", c.Join, "expiry",
		c.Expiry)

	warmCtx, stopWarming := context.WithCancel(ctx)
	warming := make(chan struct{})
	go func() {
		defer close(warming)
		s.warmUp(warmCtx)
	}()
	err = serve.Serve(ctx, log, c.Drain, func() { s.stopping.Store(true) }, services...)
	stopWarming()
	<-warming
	return err
}

// warmUp fills the cache and logs how that went.
func (s *Compute) warmUp(ctx context.Context) {
	start := time.Now()
	if err := s.Warm(ctx); err != nil {
		s.log.Info("warm-up stopped early", "groups", s.local.Len(), "err", err)
		s.warm.loaded.Store(s.warm.goal) // what is missing is loaded when it is asked for
		return
	}
	s.log.Info("warm-up done", "groups", s.local.Len(), "took", time.Since(start).Round(time.Millisecond))
}
