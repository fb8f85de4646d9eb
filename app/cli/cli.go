// Package cli is the casebook command: one file per subcommand, and none of the work. Results go to stdout, progress
// and errors go to stderr, so that stdout can be piped.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/gocasebook/casebook/internal/plain"
)

// Exit codes, the same for every command.
const (
	exitOK       = 0 // nothing found
	exitFindings = 1 // a finding at warning or above (diagnose, capture, watch --once)
	exitFailure  = 2 // wrong usage, or the command failed
)

// errFindings is returned by a command that ran well and found something at warning or above.
var errFindings = errors.New("findings at warning or above")

// An exitError ends the program with a child's own exit code, its message already printed.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// Run executes the command line and returns the exit code.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	stdout, stderr = printable(stdout), printable(stderr)
	root := rootCommand()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	var code exitError
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errFindings):
		return exitFindings
	case errors.As(err, &code):
		return int(code)
	}
	printError(stderr, err)
	return exitFailure
}

// printable removes control characters from what commands write: a target, a file or a case could contain some that a
// terminal obeys.
func printable(w io.Writer) io.Writer {
	_, terminal := terminalWidth(w)
	return plain.NewWriter(w, terminal)
}

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "casebook",
		Short: "The detective for slow Go services",
		Long: `Casebook watches Go services through net/http/pprof. When one misbehaves, it
saves the evidence, says what is wrong down to the source line, and names the
remedy and the gain to expect. It then proves the fix by measurement.`,
		Example: `  casebook demo                               see the whole loop in two minutes
  casebook watch http://127.0.0.1:6060        open a case when a rule trips
  casebook capture http://127.0.0.1:6060      open a case now
  casebook diagnose http://127.0.0.1:6060     capture now and say what is wrong
  casebook diagnose cpu.pb.gz heap.pb.gz      diagnose files
  casebook explain gc-cpu                     how a finding is judged
  casebook case show                          show the newest case`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       version(),
		Args:          knownCommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetVersionTemplate(versionLine() + "\n")
	root.SetUsageFunc(usage)
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(watchCommand(), captureCommand(), diagnoseCommand(), detectorsCommand(), explainCommand(), caseCommand(),
		rulesCommand(), loadCommand(), proveCommand(), compareCommand(), gateCommand(), demoCommand(), labCommand(), manCommand(),
		versionCommand())
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.HasSubCommands() {
			c.Args = knownCommand // cobra's own answers an unknown word with help, and exit code 0
		}
		if c.HasSubCommands() && !c.Runnable() {
			c.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
	return root
}

// needArgs requires at least one argument and says what it should be.
func needArgs(what, example string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("%s needs %s, for instance: %s", cmd.CommandPath(), what, example)
		}
		return nil
	}
}

// terminalWidth returns the width of w if it is a terminal, else 80, and whether it is one.
func terminalWidth(w io.Writer) (width int, isTerminal bool) {
	w = plain.Under(w)
	if f, ok := w.(face); ok {
		w = f.to
	}
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 80, false
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width < 40 {
		width = 80
	}
	return width, true
}
