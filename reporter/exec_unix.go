//go:build unix

package reporter

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// inGroup gives the command a process group of its own and has the whole group killed when its context is done, so
// that what the command started does not outlive it.
func inGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
}
