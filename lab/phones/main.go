package phones

import (
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/gocasebook/casebook/lab/serve"
)

// Main runs the gateway: "lab phones" with args. When it listens it prints {"listen":"host:port", "pprof":"host:port"}
// to stdout, then serves until ctx ends or SIGTERM or SIGINT comes, and stops gracefully. It returns the exit code: 0
// stopped as asked, 1 failed, 2 wrong flags.
func Main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c, err := parseConfig(args, stderr)
	if err != nil {
		return serve.Usage(err, "phones", stderr)
	}
	return serve.Run(ctx, stderr, func(ctx context.Context, log *slog.Logger) error {
		return runGateway(ctx, c, stdout, log)
	})
}

// runGateway serves until ctx ends.
func runGateway(ctx context.Context, c Config, stdout io.Writer, log *slog.Logger) error {
	g, err := New(c)
	if err != nil {
		return err
	}
	defer g.Close()
	if err := c.SetUp(); err != nil {
		return err
	}
	services, where, err := c.Open(ctx, g)
	if err != nil {
		return err
	}
	if err := serve.Announce(stdout, where, services); err != nil {
		return err
	}
	log.Info("listening", "listen", where.Listen, "pprof", where.Pprof, "cache", c.Cache, "set", c.Set)

	warming := make(chan struct{})
	warmCtx, stopWarming := context.WithCancel(ctx)
	go func() {
		defer close(warming)
		warm(warmCtx, g, log)
	}()
	err = serve.Serve(ctx, log, c.Drain, func() { g.stopping.Store(true) }, services...)
	stopWarming()
	<-warming
	return err
}

// warm fills the caches and logs how that went.
func warm(ctx context.Context, g *Gateway, log *slog.Logger) {
	start := time.Now()
	if err := g.Warm(ctx); err != nil {
		log.Info("warm-up stopped early", "entries", g.caches.Len(), "err", err)
		return
	}
	log.Info("warm-up done", "entries", g.caches.Len(), "took", time.Since(start).Round(time.Millisecond))
}
