// Command lab runs the services that Casebook is proved on, sick and cured, and the demo.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/gocasebook/casebook/lab/cli"
)

func main() {
	os.Exit(run())
}

// run ends in order at the first signal; the second ends the process at once, in case the order is what hangs.
func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	defer stop()
	context.AfterFunc(ctx, stop) // gives the signals their own meaning back
	return cli.Run(ctx, os.Args[1:], os.Stdout, os.Stderr)
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
