//go:build !unix

package child

import (
	"os"
	"syscall"
)

func attributes() *syscall.SysProcAttr { return nil }

// There are no process groups and no SIGTERM here: only the server is ended, at once.
func terminate(p *os.Process) error { return p.Kill() }

func kill(p *os.Process) error { return p.Kill() }
