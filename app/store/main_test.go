package store

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"testing"

	_ "github.com/gocasebook/casebook/app/store/drivers"
	"github.com/gocasebook/casebook/internal/leaktest"
)

// TestMain is a process that receives cases, or one that sweeps, too, when a test starts it as one: to be killed.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		if work := processes[os.Args[1]]; work != nil {
			ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
			defer stop()
			if err := work(ctx, os.Args[2:]); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			return
		}
	}
	code := leaktest.Check(m.Run(), "app/store.")
	if err := stopServers(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}
