package known

// disks are packages whose functions are called as the system calls that they make.
func disks() []Row {
	return []Row{{Functions: []string{"syscall.", "golang.org/x/sys/unix.", "modernc.org/libc.X*"},
		Roles: NamesSystemCall}}
}

// IsSystemCall reports whether a word is the name of a system call on files, in lower case, as package syscall or what
// is like it calls its function: "fdatasync", "fcntlflock".
func IsSystemCall(word string) bool {
	switch word {
	case "fsync", "fdatasync", "msync", "sync_file_range", "syncfilerange", "sync", "syncfs",
		"flock", "fcntl", "fcntlflock", "fcntlint",
		"read", "write", "pread", "pwrite", "pread64", "pwrite64", "readv", "writev", "preadv", "pwritev",
		"open", "openat", "close", "stat", "fstat", "lstat", "fstatat", "statx", "rename", "renameat", "renameat2",
		"unlink", "unlinkat", "mkdir", "mkdirat", "rmdir", "ftruncate", "truncate", "fallocate", "getdents",
		"readdirent", "readlink", "readlinkat", "link", "linkat", "symlink", "symlinkat", "chmod", "fchmod", "chown",
		"fchown", "sendfile", "copyfilerange", "copy_file_range", "mmap", "munmap", "madvise", "ioctl", "wait4",
		"waitid", "statfs", "fstatfs", "getxattr", "setxattr", "fadvise":
		return true
	}
	return false
}

// FileSync is the call that waits for the disk, by which remedies are chosen.
const FileSync = "os.(*File).Sync"

// FileRead is the call that reads a piece of a file.
const FileRead = "os.(*File).Read"
