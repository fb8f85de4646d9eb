package store

import (
	"os"

	"golang.org/x/sys/unix"
)

// nameless makes a file in a folder that never has a name there. Not every file system can.
func nameless(dir string) (*os.File, error) {
	for {
		fd, err := unix.Open(dir, unix.O_RDWR|unix.O_TMPFILE|unix.O_CLOEXEC, 0o600)
		switch err {
		case nil:
			return os.NewFile(uintptr(fd), ""), nil // no name that discard could remove
		case unix.EINTR:
			continue
		}
		return nil, &os.PathError{Op: "open", Path: dir, Err: err}
	}
}
