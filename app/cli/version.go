package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/command"
)

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print version, revision and date",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), command.VersionLine())
			return err
		},
	}
}
