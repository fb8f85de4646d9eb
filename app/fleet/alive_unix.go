//go:build unix

package fleet

import (
	"errors"
	"syscall"
)

// alive reports whether there may be a process with this ID.
func alive(pid int) bool { return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }
