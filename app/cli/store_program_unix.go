//go:build unix

package cli

import (
	"fmt"
	"syscall"
)

// become puts another program in the place of this one: signals, standard input and the process's number are its own.
func become(path string, args, env []string) error {
	return fmt.Errorf("running %s: %w", path, syscall.Exec(path, args, env)) // it returns when it failed
}
