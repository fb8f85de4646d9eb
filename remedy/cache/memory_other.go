//go:build !unix || aix || solaris || illumos

package cache

// canMap is false: the syscall package has no anonymous memory here.
const canMap = false

func mapPages(int) []byte { return nil }

func unmapPages([]byte) {}
