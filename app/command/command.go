// Package command is what the commands of casebook and of the lab have in common: exit codes, errors, help that is
// wrapped and grouped, and names that were probably meant. Results go to stdout, progress and errors go to stderr, so
// that stdout can be piped.
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/internal/plain"
)

// Exit codes, the same for every command.
const (
	ExitOK       = 0 // nothing found
	ExitFindings = 1 // a finding at warning or above (diagnose, capture, watch --once)
	ExitFailure  = 2 // wrong usage, or the command failed
)

// ErrFindings is returned by a command that ran well and found something at warning or above.
var ErrFindings = errors.New("findings at warning or above")

// An ExitError ends the program with a child's own exit code, its message already printed.
type ExitError int

func (e ExitError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// Run executes a command line of a prepared program and returns the exit code.
func Run(ctx context.Context, root *cobra.Command, args []string, stdout, stderr io.Writer) int {
	stdout, stderr = Printable(stdout), Printable(stderr)
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := execute(ctx, root)
	var code ExitError
	switch {
	case err == nil:
		return ExitOK
	case errors.Is(err, ErrFindings):
		return ExitFindings
	case errors.As(err, &code):
		return int(code)
	}
	terminal.Error(stderr, root.Name(), err)
	if errors.Is(err, errLeft) {
		return ExitInterrupted
	}
	return ExitFailure
}

// Printable removes control characters from what commands write: a target, a file or a case could contain some that a
// terminal obeys.
func Printable(w io.Writer) io.Writer {
	_, isTerminal := terminal.Width(w)
	return plain.NewWriter(w, isTerminal)
}

// Prepare gives a program and its commands our help and our errors.
func Prepare(root *cobra.Command) {
	root.SilenceUsage, root.SilenceErrors = true, true
	root.SetUsageFunc(usage)
	root.SetFlagErrorFunc(flagError)
	root.InitDefaultCompletionCmd()
	showHelp(root)
	for _, c := range root.Commands() {
		if c.HasSubCommands() {
			showHelp(c)
		}
	}
}

// showHelp has a command that only groups others refuse an unknown word, and print its help without one. Cobra's own
// answers an unknown word with help, and exit code 0. A command that takes words of its own beside its commands, as gate
// takes packages, keeps them.
func showHelp(c *cobra.Command) {
	if c.Runnable() && c.Args != nil && c.Args(c, []string{"word"}) == nil {
		return
	}
	c.Args = knownCommand
	if !c.Runnable() {
		c.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
}

// NeedArgs requires at least one argument and says what it should be.
func NeedArgs(what, example string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("%s needs %s, for instance: %s", cmd.CommandPath(), what, example)
		}
		return nil
	}
}

// CheckWritable finds out before a measurement, not after it, that the file of a flag cannot be written.
func CheckWritable(flag, path string) error {
	if path == "" {
		return nil
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s: %s is not a regular file: give another name", flag, path)
	}
	probe, err := os.CreateTemp(filepath.Dir(path), ".casebook-*")
	if err != nil {
		return fmt.Errorf("%s: %w: give a file in a folder that exists and is writable", flag, err)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}
