//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package flock

import (
	"errors"
	"os"
	"syscall"
)

// Try takes the exclusive lock of an open file without waiting. The lock belongs to the open file, not to the process;
// the kernel takes it back when the file is closed or the process ends, however it ends.
func Try(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			return ErrInUse
		case errors.Is(err, syscall.ENOTSUP), errors.Is(err, syscall.ENOSYS), errors.Is(err, syscall.ENOLCK),
			errors.Is(err, syscall.EINVAL):
			return ErrUnsupported
		}
		return err
	}
}
