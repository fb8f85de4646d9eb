//go:build !linux

package store

import (
	"errors"
	"os"
)

// nameless is a file without a name, which only Linux has.
func nameless(string) (*os.File, error) { return nil, errors.ErrUnsupported }
