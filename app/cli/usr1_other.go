//go:build !unix

package cli

import "os"

// captureSignals: this system has no user-defined signal.
func captureSignals() []os.Signal { return nil }
