// Command casebook watches Go services, keeps the evidence when one misbehaves, says what is wrong, and proves the fix.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/gocasebook/casebook/app/cli"
)

func main() {
	os.Exit(run())
}

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return cli.Run(ctx, os.Args[1:], os.Stdout, os.Stderr)
}
