//go:build unix && !aix && !solaris && !illumos

package cache

import "syscall"

const canMap = true

// mapPages is memory of the system, nil when it has none.
func mapPages(bytes int) []byte {
	b, err := syscall.Mmap(-1, 0, bytes, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil
	}
	return b
}

func unmapPages(b []byte) {
	_ = syscall.Munmap(b) // it fails only for what mapPages did not return
}
