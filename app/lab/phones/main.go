package phones

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os/signal"
	"syscall"
	"time"
)

// The exit codes of Main and UpstreamsMain.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// addresses is the line that the gateway prints when it listens, as JSON.
type addresses struct {
	Listen string `json:"listen"`
	Pprof  string `json:"pprof,omitempty"`
}

// Main runs the gateway: "casebook lab phones" with args. When it listens it prints {"listen":"host:port",
// "pprof":"host:port"} to stdout, then serves until ctx ends or SIGTERM or SIGINT comes, and stops gracefully. It returns
// the exit code: 0 stopped as asked, 1 failed, 2 wrong flags.
func Main(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c, err := parseConfig(args, stderr)
	if err != nil {
		return usage(err, "phones", stderr)
	}
	return run(ctx, stderr, func(ctx context.Context, log *slog.Logger) error {
		return runGateway(ctx, c, stdout, log)
	})
}

// usage says what is wrong with the flags. Asking for help is not wrong.
func usage(err error, command string, stderr io.Writer) int {
	if errors.Is(err, flag.ErrHelp) {
		return exitOK
	}
	fmt.Fprintf(stderr, "%v\nsee: casebook lab %s -help\n", err, command)
	return exitUsage
}

// run calls f with a context that ends on SIGTERM and SIGINT, and turns its error into an exit code.
func run(ctx context.Context, stderr io.Writer, f func(context.Context, *slog.Logger) error) int {
	ctx, cancel := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGINT)
	defer cancel()
	log := slog.New(slog.NewTextHandler(stderr, nil))
	if err := f(ctx, log); err != nil {
		log.Error("stopped", "err", err)
		return exitFailed
	}
	return exitOK
}

// runGateway serves until ctx ends.
func runGateway(ctx context.Context, c Config, stdout io.Writer, log *slog.Logger) error {
	g, err := New(c)
	if err != nil {
		return err
	}
	defer g.Close()
	setProfileRates(c)
	services, where, err := listenGateway(ctx, c, g)
	if err != nil {
		return err
	}
	if err := json.NewEncoder(stdout).Encode(where); err != nil {
		closeAll(services)
		return fmt.Errorf("printing the addresses: %w", err)
	}
	log.Info("listening", "listen", where.Listen, "pprof", where.Pprof, "cache", c.Cache, "set", c.Set)

	warming := make(chan struct{})
	warmCtx, stopWarming := context.WithCancel(ctx)
	go func() {
		defer close(warming)
		warm(warmCtx, g, log)
	}()
	err = serve(ctx, log, c.Drain, func() { g.stopping.Store(true) }, services...)
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

// listenGateway opens the listeners of the API and of the profiles.
func listenGateway(ctx context.Context, c Config, g *Gateway) ([]*service, addresses, error) {
	api, err := listen(ctx, "the API", "listen", c.Listen, apiServer(g))
	if err != nil {
		return nil, addresses{}, err
	}
	if c.Pprof == "" {
		return []*service{api}, addresses{Listen: api.address()}, nil
	}
	prof, err := listen(ctx, "pprof", "pprof", c.Pprof, pprofServer())
	if err != nil {
		closeAll([]*service{api})
		return nil, addresses{}, err
	}
	prof.cut = true // a profile can be taken until the last request is answered; nobody waits for one
	return []*service{api, prof}, addresses{api.address(), prof.address()}, nil
}
