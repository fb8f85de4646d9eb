//go:build unix

package tool

import (
	"os/exec"
	"syscall"
)

// ownGroup gives a tool a process group of its own, which is killed as a whole when its context ends: go build and
// tests start children.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
