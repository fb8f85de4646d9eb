package command

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"
)

// Main runs a program on its arguments and returns the exit code. It ends in order at the first signal; the second ends
// the process at once, in case the order is what hangs.
//
// The main thread never reads: Linux hands a signal to it first, and where it waits for a file system that does not
// answer, the signal stays with it and no other thread hears of it. A goroutine that is locked to it keeps it free; what
// the command does is done by another (execute).
func Main(run func(ctx context.Context, args []string, stdout, stderr io.Writer) int) int {
	runtime.LockOSThread()
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

// ExitInterrupted is the shell's code for a program that Ctrl-C ended.
const ExitInterrupted = 130

// grace is how long a command that only reads may take to end after the signal.
const grace = time.Second

// errLeft says that a command was left where it was.
var errLeft = errors.New("interrupted, while something was read that did not come to an end")

// orderKey is that of a context's *atomic.Bool: whether the command ends in order.
type orderKey struct{}

// InOrder is called where a command begins with what must end in order: a case is finished, a worktree removed, a result
// printed. Until then it only reads, and reading may hang: on a pipe, or a mount whose server is gone. Such a command is
// left a second after the signal. Afterwards the first signal is its own matter, and the second ends the process.
func InOrder(ctx context.Context) {
	if o, ok := ctx.Value(orderKey{}).(*atomic.Bool); ok {
		o.Store(true)
	}
}

// execute runs the command line until it ends, or is left.
func execute(ctx context.Context, root *cobra.Command) error {
	order := new(atomic.Bool)
	ended := make(chan error, 1)
	go func() { ended <- root.ExecuteContext(context.WithValue(ctx, orderKey{}, order)) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case err := <-ended:
		return err
	case <-timer.C:
	}
	if order.Load() {
		return <-ended
	}
	return errLeft
}
