package serve

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
)

// The exit codes of a service's Main.
const (
	ExitOK     = 0
	ExitFailed = 1
	ExitUsage  = 2
)

// Addresses is the line that a service prints when it listens, as JSON.
type Addresses struct {
	Listen string `json:"listen"`
	Pprof  string `json:"pprof,omitempty"`
}

// Usage says what is wrong with the flags of `lab command`, and gives the exit code. Asking for help is not wrong.
func Usage(err error, command string, stderr io.Writer) int {
	if errors.Is(err, flag.ErrHelp) {
		return ExitOK
	}
	fmt.Fprintf(stderr, "%v\nsee: lab %s -help\n", err, command)
	return ExitUsage
}

// Run calls f with a context that ends on SIGTERM and SIGINT, and turns its error into an exit code.
func Run(ctx context.Context, stderr io.Writer, f func(context.Context, *slog.Logger) error) int {
	ctx, cancel := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGINT)
	defer cancel()
	log := slog.New(slog.NewTextHandler(stderr, nil))
	if err := f(ctx, log); err != nil {
		log.Error("stopped", "err", err)
		return ExitFailed
	}
	return ExitOK
}

// Announce prints where the services listen. They are closed when that fails: whoever started the process waits for the
// line.
func Announce(stdout io.Writer, where any, services []*Service) error {
	if err := json.NewEncoder(stdout).Encode(where); err != nil {
		CloseAll(services)
		return fmt.Errorf("printing the addresses: %w", err)
	}
	return nil
}
