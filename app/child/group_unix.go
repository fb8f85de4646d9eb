//go:build unix

package child

import (
	"os"
	"syscall"
)

// terminate asks a server's process group to end.
func terminate(p *os.Process) error { return syscall.Kill(-p.Pid, syscall.SIGTERM) }

// kill ends what is left of it.
func kill(p *os.Process) error { return syscall.Kill(-p.Pid, syscall.SIGKILL) }
