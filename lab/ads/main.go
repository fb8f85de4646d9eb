package ads

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"github.com/gocasebook/casebook/lab/serve"
)

// Main runs the delivery service: "lab ads" with args. When it listens it prints {"listen":"host:port",
// "pprof":"host:port"} to stdout, then serves until ctx ends or SIGTERM or SIGINT comes, and stops gracefully. It
// returns the exit code: 0 stopped as asked, 1 failed, 2 wrong flags.
func Main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c, err := parseConfig(args, stderr)
	if err != nil {
		return serve.Usage(err, "ads", stderr)
	}
	return serve.Run(ctx, stderr, func(ctx context.Context, log *slog.Logger) error {
		return runDelivery(ctx, c, stdout, log)
	})
}

// runDelivery serves until ctx ends.
func runDelivery(ctx context.Context, c Config, stdout io.Writer, log *slog.Logger) (err error) {
	if err := c.SetUp(); err != nil {
		return err
	}
	d, err := New(c, log)
	if err != nil {
		return err
	}
	defer func() {
		closing, cancel := context.WithTimeout(context.Background(), c.Drain)
		defer cancel()
		err = errors.Join(err, d.Close(closing))
	}()
	services, where, err := c.Open(ctx, d)
	if err != nil {
		return err
	}
	if err := serve.Announce(stdout, where, services); err != nil {
		return err
	}
	log.Info("listening", "listen", where.Listen, "pprof", where.Pprof, "forms", c.forms())

	refreshing := make(chan struct{})
	refreshCtx, stopRefreshing := context.WithCancel(ctx)
	go func() {
		defer close(refreshing)
		d.refresh(refreshCtx, log)
	}()
	err = serve.Serve(ctx, log, c.Drain, func() { d.stopping.Store(true) }, services...)
	stopRefreshing()
	<-refreshing
	return err
}

// forms lists the forms that delivery runs in.
func (c *Config) forms() string {
	text := ""
	for _, o := range c.choices() {
		text += fmt.Sprintf("%s=%s ", o.name, *o.value)
	}
	return text
}
