//go:build !unix

package gate

import "os/exec"

// ownGroup does nothing: there are no process groups here, and a child's own children outlive it.
func ownGroup(*exec.Cmd) {}
