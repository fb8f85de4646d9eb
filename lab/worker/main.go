package worker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"golang.org/x/sync/errgroup"

	"github.com/gocasebook/casebook/lab/serve"
	"github.com/gocasebook/casebook/remedy/gctune"
)

// Main runs the worker: "lab worker" with args. When it listens it prints {"listen":"host:port","pprof":"host:port"} to
// stdout, then consumes until ctx ends or SIGTERM or SIGINT comes, stores and commits what it has, and stops. It
// returns the exit code: 0 stopped as asked, 1 failed, 2 wrong flags.
func Main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c, err := parseConfig(args, stderr)
	if err != nil {
		return serve.Usage(err, "worker", stderr)
	}
	return serve.Run(ctx, stderr, func(ctx context.Context, log *slog.Logger) error {
		return runWorker(ctx, c, stdout, log)
	})
}

// runWorker works until ctx ends.
func runWorker(ctx context.Context, c Config, stdout io.Writer, log *slog.Logger) (err error) {
	if c.Dir == "" {
		if c.Dir, err = os.MkdirTemp("", "casebook-worker-"); err != nil {
			return fmt.Errorf("making a folder for the files: %w; name one with -dir", err)
		}
		defer func() { err = errors.Join(err, os.RemoveAll(c.Dir)) }()
	}
	if err := c.SetUp(); err != nil {
		return err
	}
	w, err := New(c, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	services, where, err := c.Open(ctx, w)
	if err != nil {
		return err
	}
	if err := serve.Announce(stdout, where, services); err != nil {
		return err
	}
	log.Info("listening", "listen", where.Listen, "pprof", where.Pprof, "brokers", c.Brokers, "dir", c.Dir,
		"compression", c.Compression, "proto", c.Proto, "format", c.Format, "write", c.Write, "gc", c.GC)

	all, ctx := errgroup.WithContext(ctx)
	all.Go(func() error { return serve.Serve(ctx, log, c.Drain, func() { w.stopping.Store(true) }, services...) })
	all.Go(func() error { w.Run(ctx); return nil })
	if c.GC == "gctune" {
		all.Go(func() error { return tune(ctx, c) })
	}
	return all.Wait()
}

// tune gives the collector the room that -memory and the cgroup leave, until ctx ends.
func tune(ctx context.Context, c Config) error {
	t, err := gctune.New(gctune.Config{Limit: int64(c.Memory) << 20})
	if err != nil {
		return err
	}
	if err := t.Run(ctx); ctx.Err() == nil {
		return err
	}
	return nil
}
