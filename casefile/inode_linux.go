package casefile

import (
	"os"
	"syscall"
)

// inode is when a file's inode last changed, in Unix ns, and its number.
func inode(info os.FileInfo) (changed int64, number uint64) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0
	}
	return st.Ctim.Nano(), st.Ino
}
