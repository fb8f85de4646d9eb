package child

import "syscall"

// attributes puts a server into a process group of its own, so that Ctrl-C reaches us alone and we stop our servers in
// order; should we be killed ourselves, the kernel kills it.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
