package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

// demoText says how the demo is run. It is a part of the lab, whose services need modules that no service in production
// should have to trust.
const demoText = `The demo runs a sick service and its cure. They are not a part of this program,
but of its repository. It needs Go 1.26, make, 4 GiB of memory and two minutes:

  git clone https://github.com/gocasebook/casebook
  cd casebook
  make demo
`

func demoCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Say how to see the whole loop on a real sick service",
		Long:  demoText,
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprint(cmd.OutOrStdout(), demoText)
			return err
		},
	}
}
