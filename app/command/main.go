package command

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// Main runs a program on its arguments and returns the exit code. It ends in order at the first signal; the second ends
// the process at once, in case the order is what hangs.
func Main(run func(ctx context.Context, args []string, stdout, stderr io.Writer) int) int {
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	defer stop()
	context.AfterFunc(ctx, stop) // gives the signals their own meaning back
	return run(ctx, os.Args[1:], os.Stdout, os.Stderr)
}

// endings returns the signals that end a command: Ctrl-C, a service manager's, and that of a terminal that is closed,
// unless it was started by nohup.
func endings() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}
