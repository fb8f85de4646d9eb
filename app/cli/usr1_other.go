//go:build !unix

package cli

import "os"

// captureSignals: this system has no signal that is the user's to define.
func captureSignals() []os.Signal { return nil }
