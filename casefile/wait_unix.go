//go:build unix

package casefile

import "syscall"

// dontWait makes opening a pipe that nobody writes to succeed at once.
const dontWait = syscall.O_NONBLOCK
