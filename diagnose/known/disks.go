package known

// disks are packages whose functions are called as the system calls that they make.
func disks() []Row {
	return []Row{{Functions: []string{"syscall.", "golang.org/x/sys/unix.", "modernc.org/libc.X*"},
		Roles: NamesSystemCall}}
}
