//go:build !linux

package holmes

import (
	"os/exec"
	"testing"
)

func isInside() bool { return false }

// isolate is for Linux; elsewhere the commands take turns.
func isolate(t *testing.T, _ *exec.Cmd) (done func()) { return takePort(t) }
