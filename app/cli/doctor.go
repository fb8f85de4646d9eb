package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/doctor"
	"github.com/gocasebook/casebook/app/terminal"
)

func doctorCommand() *cobra.Command {
	var access accessFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor URL",
		Short: "Say what of the evidence a service gives, and who can read it",
		Long: `Doctor looks at a service's net/http/pprof before you need it: which evidence it
gives, what is switched off (mutex and block profiles), what watching it would
cost, and whether the endpoint is open to others than you. It names the line of
code or the command that changes each.

It takes each kind of evidence once, for a second at most, and keeps nothing.
What would take more than a second of the service's CPU is not tried. It also
asks the endpoint without credentials; if the service runs on this machine,
under each of the machine's addresses. Modules that its profiles name at a release
with a known fault are noted, which changes no exit code.

` + accessText + `

Exit codes: 0 nothing at warning, 1 something should be changed, 2 wrong usage,
or nothing answers there.`,
		Example: `  casebook doctor http://127.0.0.1:6060
  casebook doctor --bearer-file token --json https://shop.internal/admin/pprof`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return errors.New("casebook doctor takes one URL: it looks at one process")
			}
			return command.NeedArgs("the URL of net/http/pprof", "casebook doctor http://127.0.0.1:6060")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			options, err := access.options()
			if err != nil {
				return err
			}
			steps := terminal.NewSteps(cmd.ErrOrStderr())
			c, err := doctor.Examine(cmd.Context(), doctor.Request{URL: args[0], Access: options,
				On: func(step string) { steps.Progress("looking at its " + step) }})
			steps.Clear()
			if err != nil {
				return err
			}
			if asJSON {
				err = writeJSON(cmd.OutOrStdout(), c)
			} else {
				terminal.New(cmd.OutOrStdout()).Checkup(c)
			}
			if err == nil && c.Warns() {
				err = command.ErrFindings
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	command.Group(cmd, "Reaching the target", access.add)
	return cmd
}
