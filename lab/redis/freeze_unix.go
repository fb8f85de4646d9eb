//go:build unix

package redis

import "syscall"

// Freeze stops the server from running, as a machine that hangs does: connections stay, nothing is answered. Thaw ends
// it.
func (s *Server) Freeze() error { return syscall.Kill(s.process.PID(), syscall.SIGSTOP) }

// Thaw lets a frozen server run on.
func (s *Server) Thaw() error { return syscall.Kill(s.process.PID(), syscall.SIGCONT) }
