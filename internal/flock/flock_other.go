//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package flock

import "os"

// Try: the standard library offers no lock of files on this system.
func Try(*os.File) error { return ErrUnsupported }
