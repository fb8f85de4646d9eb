package demo

import "syscall"

// childAttributes puts a child into its own process group, so that Ctrl-C reaches the demo alone and it stops its
// children in order; should the demo itself be killed, the kernel kills them.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
