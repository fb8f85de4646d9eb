package cli

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/lab/ads"
	"github.com/gocasebook/casebook/app/lab/feature"
	"github.com/gocasebook/casebook/app/lab/phones"
	"github.com/gocasebook/casebook/app/lab/worker"
)

// A labMain runs one service of the lab until ctx ends. It reads its own flags.
type labMain func(ctx context.Context, args []string, stdout, stderr io.Writer) int

func labCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lab",
		Short: "Run the sick services that Casebook is proved on",
		Long: `The lab holds real services that run sick or cured. "ls" lists them. "run" runs
them and says what was found, what was promised, and what the cure gains. The
other commands start one service, so that you can attach to it by hand.`,
		Example: `  casebook lab ls
  casebook lab run phones/gcache
  casebook lab upstreams
  casebook lab phones -cache=gcache -warm 1000000 -items-url http://…`,
	}
	cmd.AddCommand(
		labListCommand(), labRunCommand(),
		labService("phones", "The phones gateway: whose number may a buyer see", phones.Main),
		labService("upstreams", "The three services behind the phones gateway", phones.UpstreamsMain),
		labService("ads", "The ad server: picks the ads for the slots of a page", ads.Main),
		labService("content", "The content service behind ads: lists the ads", ads.ContentMain),
		labService("worker", "The event pipeline: consumes a topic and stores the results", worker.Main),
		labService("broker", "A Kafka broker with a producer of events, for the worker", worker.BrokerMain),
		labService("feature", "The API tier of a feature store: the numbers that a model needs", feature.Main),
		labService("compute", "Its compute tier: a cache over Redis over an expensive computation",
			feature.ComputeMain),
	)
	return cmd
}

func labService(name, short string, run labMain) *cobra.Command {
	return &cobra.Command{
		Use:                name + " [flags]",
		Short:              short,
		DisableFlagParsing: true, // the service has its own flags: `casebook lab phones -help`
		RunE: func(cmd *cobra.Command, args []string) error {
			if code := run(cmd.Context(), args, cmd.OutOrStdout(), cmd.ErrOrStderr()); code != command.ExitOK {
				return command.ExitError(code)
			}
			return nil
		},
	}
}
