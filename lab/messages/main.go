package messages

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"golang.org/x/sync/errgroup"

	"github.com/gocasebook/casebook/lab/serve"
)

// Main runs the service: "lab messages" with args. When it listens it prints {"listen":"host:port","pprof":"host:port"}
// to stdout, then serves until ctx ends or SIGTERM or SIGINT comes, and stops gracefully. It returns the exit code: 0
// stopped as asked, 1 failed, 2 wrong flags.
func Main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c, err := parseConfig(args, stderr)
	if err != nil {
		return serve.Usage(err, "messages", stderr)
	}
	return serve.Run(ctx, stderr, func(ctx context.Context, log *slog.Logger) error {
		return run(ctx, c, stdout, log)
	})
}

// run serves until ctx ends.
func run(ctx context.Context, c Config, stdout io.Writer, log *slog.Logger) (err error) {
	if c.Dir == "" {
		if c.Dir, err = os.MkdirTemp("", "casebook-messages-"); err != nil {
			return fmt.Errorf("making a folder for the store: %w; name one with -dir", err)
		}
		defer func() { err = errors.Join(err, os.RemoveAll(c.Dir)) }()
	}
	if err := c.SetUp(); err != nil {
		return err
	}
	s, err := newService(c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.store.close()) }()
	services, where, err := c.Open(ctx, s.handler())
	if err != nil {
		return err
	}
	if err := serve.Announce(stdout, where, services); err != nil {
		return err
	}
	log.Info("listening", "listen", where.Listen, "pprof", where.Pprof, "values", c.Values, "dir", c.Dir)
	all, ctx := errgroup.WithContext(ctx)
	all.Go(func() error { return s.warm(ctx, c.Warm, c.WarmBytes) })
	all.Go(func() error { return serve.Serve(ctx, log, c.Drain, func() { s.ready.Store(false) }, services...) })
	return all.Wait()
}
