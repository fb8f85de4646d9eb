//go:build unix

package child

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// InGroup gives a command that is about to start a process group of its own, which is killed as a whole when its context
// ends: what it starts is not left behind.
func InGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		err := kill(cmd.Process)
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
}
