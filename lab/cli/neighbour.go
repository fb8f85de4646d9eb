package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/lab"
	"github.com/gocasebook/casebook/lab/play"
)

func besideCommand() *cobra.Command {
	var measure time.Duration
	cmd := &cobra.Command{
		Use:   "beside",
		Short: "Run two services on one machine: what the one costs the other, and who is named",
		Long: `Beside runs the ad server in its cured form at 200 requests a second, alone and
beside the sick content service, which is loaded with more than two CPUs can do.
It prints the figures of the ad server for both, and the diagnosis of a case that
was taken while its neighbour ran. It needs a Redis server.

Exit codes: 0 the neighbour is named, 1 it is not, 2 wrong usage, interrupted, or
the services could not run.`,
		Example: "  lab beside",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return beside(cmd, measure) },
	}
	cmd.Flags().DurationVar(&measure, "measure", play.DefaultMeasure, "how long is measured, both together")
	return cmd
}

func beside(cmd *cobra.Command, measure time.Duration) (err error) {
	binary, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding this program, which is also the lab's services: %w", err)
	}
	dir, err := os.MkdirTemp("", "casebook-lab-")
	if err != nil {
		return fmt.Errorf("making a folder for the case: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	steps := terminal.NewSteps(cmd.ErrOrStderr())
	out, err := play.Beside(cmd.Context(), play.Config{Binary: binary, Dir: dir, Tool: command.Tool(), Measure: measure,
		View: steps}, lab.Services())
	steps.Clear()
	if err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	if err := terminal.Proof(w, out.Proof); err != nil {
		return err
	}
	return showBeside(w, out.Case.Case.Findings)
}

// showBeside prints the finding that names the neighbour.
func showBeside(w io.Writer, found []casefile.Finding) error {
	for _, f := range found {
		if f.Kind != "cpu-neighbours" {
			continue
		}
		_, err := fmt.Fprintf(w, "\n%d %s %s\n%s\n", f.Score, f.ID, f.Title, f.Summary)
		for _, r := range f.Remedies {
			if err == nil {
				_, err = fmt.Fprintf(w, "- %s: %s\n", r.Title, r.Text)
			}
		}
		return err
	}
	_, err := fmt.Fprintln(w, "\nNo neighbour is named: the service got the CPU that it wanted.")
	return errors.Join(err, command.ErrFindings)
}
