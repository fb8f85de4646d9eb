//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package reporter

import (
	"errors"
	"os"
	"syscall"
)

// flock takes the exclusive lock of an open file without waiting, or answers errInUse or errNoLock. The kernel takes
// it back when the file is closed or the process ends, however it ends.
func flock(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			return errInUse
		case errors.Is(err, syscall.ENOTSUP), errors.Is(err, syscall.ENOSYS), errors.Is(err, syscall.ENOLCK), errors.Is(err, syscall.EINVAL):
			return errNoLock
		}
		return err
	}
}
