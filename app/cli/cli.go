// Package cli is the casebook command: one file per subcommand, and none of the work. Results go to stdout, progress
// and errors go to stderr, so that stdout can be piped.
package cli

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/command"
)

// Run executes the command line and returns the exit code.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	fitMemory()
	return command.Run(ctx, rootCommand(), args, stdout, stderr)
}

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "casebook",
		Short: "The detective for slow Go services",
		Long: `Casebook watches Go services through net/http/pprof. When one misbehaves, it
saves the evidence, says what is wrong down to the source line, and names the
remedy and the gain to expect. It then proves the fix by measurement.`,
		Example: `  casebook watch http://127.0.0.1:6060        open a case when a rule trips
  casebook capture http://127.0.0.1:6060      open a case now
  casebook diagnose http://127.0.0.1:6060     capture now and say what is wrong
  casebook diagnose cpu.pb.gz heap.pb.gz      diagnose files
  casebook explain gc-cpu                     how a finding is judged
  casebook case show                          show the newest case`,
		Version: command.Version(),
	}
	root.SetVersionTemplate(command.VersionLine() + "\n")
	root.AddCommand(initCommand(), watchCommand(), captureCommand(), diagnoseCommand(), doctorCommand(), detectorsCommand(),
		explainCommand(), knownCommand(), answerCommand(), askCommand(),
		caseCommand(),
		rulesCommand(), traceCommand(), heapCommand(), lintCommand(), fixCommand(), escapeCommand(), pgoCommand(),
		loadCommand(), replayCommand(), proveCommand(), compareCommand(), gateCommand(), historyCommand(), serveCommand(), storeCommand(),
		briefCommand(), mcpCommand(), demoCommand(), demoShopCommand(),
		manCommand(),
		versionCommand())
	command.Prepare(root)
	sayTreeUses(root)
	speak(root)
	return root
}

// speak makes every command return its errors in the words of the command line.
func speak(cmd *cobra.Command) {
	if run := cmd.RunE; run != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error { return worded(run(cmd, args)) }
	}
	for _, sub := range cmd.Commands() {
		speak(sub)
	}
}
