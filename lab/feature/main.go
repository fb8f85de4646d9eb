package feature

import (
	"context"
	"io"
	"log/slog"

	"github.com/gocasebook/casebook/lab/serve"
)

// Main runs the API tier: "lab feature" with args. It prints, ends and returns as ComputeMain does.
func Main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c, err := parseConfig(args, stderr)
	if err != nil {
		return serve.Usage(err, "feature", stderr)
	}
	return serve.Run(ctx, stderr, func(ctx context.Context, log *slog.Logger) error {
		return runAPI(ctx, c, stdout, log)
	})
}

// runAPI serves until ctx ends.
func runAPI(ctx context.Context, c Config, stdout io.Writer, log *slog.Logger) error {
	if err := c.SetUp(); err != nil {
		return err
	}
	a, err := NewAPI(c)
	if err != nil {
		return err
	}
	defer a.Close()
	services, where, err := c.Open(ctx, a)
	if err != nil {
		return err
	}
	if err := serve.Announce(stdout, where, services); err != nil {
		return err
	}
	log.Info("listening", "listen", where.Listen, "pprof", where.Pprof, "decode", c.Decode, "call", c.Call)
	return serve.Serve(ctx, log, c.Drain, func() { a.stopping.Store(true) }, services...)
}
