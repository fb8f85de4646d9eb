//go:build unix

package access

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// private says why a file is not one that only this user can read.
func private(info fs.FileInfo) error {
	if st, ok := info.Sys().(*syscall.Stat_t); ok && int(st.Uid) != os.Geteuid() {
		return errors.New("is another user's")
	}
	if info.Mode().Perm()&0o077 != 0 {
		return errors.New("can be read by others")
	}
	return nil
}
