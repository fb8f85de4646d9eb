package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/terminal"
)

func loadCommand() *cobra.Command {
	var f loadFlags
	var search limitFlags
	var out loadOutput
	cmd := &cobra.Command{
		Use:   "load [flags] [URL]",
		Short: "Send requests on a schedule and measure the answers",
		Long: `Load sends requests on a schedule that does not wait for the target. It measures
each latency from the time the request was due, so if the target hangs for a
second, every request of that second shows it.

URL is http://, https:// or grpc://HOST/package.Service/Method (grpcs:// with
TLS). --targets reads a file in one of vegeta's formats and requests its targets
in turn; targets that are only paths are appended to URL. The URL, header values
and bodies may be templates:

` + templateHelp() + `

--pace takes one of these, or several with "then" between them:

` + indent(load.PaceText) + `

` + load.ArrivalsText + `
Redirects are not followed. Load refuses targets on other machines unless
--allow names their host.

Exit codes: 0 the load was sent; 1 it ended early because of errors, no request
succeeded, or no rate meets the objective; 2 wrong usage or failure; 130
interrupted, with the figures so far.`,
		Example: `  casebook load --rate 500 --duration 30s http://127.0.0.1:8080/items
  casebook load --pace 'ramp 100..2000 60s' --targets shop.http --out run.json
  casebook load --rate 50 --csv users.csv -d '{"id": {{.id}}}' http://127.0.0.1/
  casebook load --rate 200 -d '{"id": 7}' grpc://127.0.0.1:9090/shop.Orders/Get
  casebook load --find-limit 'p99 < 50ms, errors < 0.1%' http://127.0.0.1:8080/`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return loadOrSearch(cmd, args, &f, &search, &out) },
	}
	f.add(cmd)
	command.Group(cmd, "Search", search.add)
	command.Group(cmd, "Results", out.add)
	return cmd
}

// loadOrSearch does what the flags ask for: one load, or the search for a limit.
func loadOrSearch(cmd *cobra.Command, args []string, f *loadFlags, search *limitFlags, out *loadOutput) error {
	if search.objective != "" {
		if err := search.check(f); err != nil {
			return err
		}
		if out.html != "" {
			return errors.New("--html shows one run, but --find-limit makes many: run casebook load at the rate it " +
				"finds")
		}
	}
	job, err := f.job(cmd, args)
	if err != nil {
		return err
	}
	defer job.close()
	out.width, out.live = terminal.Width(cmd.ErrOrStderr())
	out.stdout, out.stderr = cmd.OutOrStdout(), cmd.ErrOrStderr()
	if search.objective != "" {
		return findLimit(cmd.Context(), search, f, job, out)
	}
	return runLoad(cmd.Context(), job, out)
}
