//go:build !unix

package tool

import "os/exec"

// ownGroup does nothing: there are no process groups here, and a tool's own children outlive it.
func ownGroup(*exec.Cmd) {}
