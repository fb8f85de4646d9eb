//go:build unix

package cli

import (
	"os"
	"syscall"
)

// captureSignals open a case in every watch.
func captureSignals() []os.Signal { return []os.Signal{syscall.SIGUSR1} }
