package reporter

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// explain adds to an error of the file system what a person can do about it.
func explain(err error) error {
	var next string
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		next = "the disk is full: free some space or choose another place"
	case errors.Is(err, syscall.EROFS):
		next = "the file system is read-only: choose another place"
	case errors.Is(err, fs.ErrPermission):
		next = "no permission: choose a place of your own"
	default:
		return err
	}
	return fmt.Errorf("%w; %s", err, next)
}
