//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package blackbox

import "os"

// flock: the standard library offers no lock of files on this system.
func flock(*os.File) error { return ErrNoLock }
