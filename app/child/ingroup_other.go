//go:build !unix

package child

import "os/exec"

// InGroup does nothing: there are no process groups here, and a command's own children outlive it.
func InGroup(*exec.Cmd) {}
