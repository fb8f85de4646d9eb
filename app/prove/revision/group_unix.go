//go:build unix

package revision

import (
	"os/exec"
	"syscall"
)

// detach gives a tool a process group of its own, and ends that group when its context does: `go build` has children.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
