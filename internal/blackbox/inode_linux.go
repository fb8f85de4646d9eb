package blackbox

import (
	"os"
	"syscall"
)

// inode is the number of a file or folder; 0 when unknown.
func inode(name string) uint64 {
	info, err := os.Stat(name)
	if err != nil {
		return 0
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Ino
	}
	return 0
}
