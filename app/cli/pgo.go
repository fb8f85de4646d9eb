package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/terminal"
)

func pgoCommand() *cobra.Command {
	var (
		r      assess.PGORequest
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "pgo CASE|FOLDER|FILE...",
		Short: "Make the compiler's profile of production's CPU profiles",
		Long: `Pgo merges CPU profiles for profile-guided optimization: go build takes the
default.pgo beside a main package by itself. Each host and hour counts the same,
so that none outvotes the others, and only what the compiler reads is kept.

Then it says what the profile is worth:

  match           how much of the calls the source still has where they were
  age             commits since, and those that touch the hot functions' files
  representative  what profiles of different times have in common, of what is
                  possible with so many samples

Inputs are cases, folders of cases, CPU profiles, and zips of these; - is
standard input. A watch with a rule on a schedule collects them over days.

Exit codes: 0 the profile is good, or there is no source to hold it against;
1 it was made and is not worth building with, for the reasons printed; 2 wrong
usage, or an input could not be read.`,
		Example: `  casebook pgo --main ./cmd/server cases/
  casebook pgo --main ./cmd/server -o - monday.pb.gz friday.pb.gz`,
		Args: command.NeedArgs("CPU profiles, or the cases that have them", "casebook pgo --main ./cmd/server cases/"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r.What, r.Stdin = args, cmd.InOrStdin()
			got, err := assess.PGO(cmd.Context(), r)
			if err != nil {
				return err
			}
			if asJSON {
				err = writeJSON(cmd.OutOrStdout(), got)
			} else {
				terminal.New(cmd.OutOrStdout()).PGO(got.File, got.Bytes, &got.Report)
			}
			switch {
			case err != nil:
				return err
			case len(got.Failed) > 0: // what could be read was merged
				return errors.Join(got.Failed...)
			case !got.Useful():
				return command.ErrFindings
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&r.Dir, "dir", "", "`folder` of the source (default: this folder)")
	cmd.Flags().StringVar(&r.Main, "main", "",
		"main `package` of the program, as go build takes it (default: that of --dir)")
	cmd.Flags().StringVarP(&r.Out, "out", "o", "",
		"`file` to write, - for none (default: default.pgo beside the main package)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
