//go:build !unix

package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"

	"github.com/gocasebook/casebook/app/command"
)

// become runs another program in the place of this one: here no process can. Ctrl-C reaches both, and this one waits
// for the other's end.
func become(path string, args, env []string) error {
	cmd := exec.Command(path, args[1:]...)
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = env, os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		return command.ExitError(exit.ExitCode())
	case err != nil:
		return fmt.Errorf("running %s: %w", path, err)
	}
	return nil
}
