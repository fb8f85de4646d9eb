//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package blackbox

import (
	"errors"
	"os"
	"syscall"
)

// flock takes the exclusive lock of an open file without waiting. It belongs to the open file, not to the process: a
// second open of the same file in this process is refused, too.
func flock(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			return errInUse
		case errors.Is(err, syscall.ENOTSUP), errors.Is(err, syscall.ENOSYS), errors.Is(err, syscall.ENOLCK), errors.Is(err, syscall.EINVAL):
			return ErrNoLock
		}
		return err
	}
}
