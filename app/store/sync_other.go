//go:build !linux

package store

import (
	"os"
	"runtime"
)

func syncFile(f *os.File) error { return f.Sync() }

// syncAll has nothing to do where the names of files are durable with their content, or cannot be made so.
func syncAll(dir *os.File) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	return dir.Sync()
}
