// Package cli is the lab's command: the demo, the rows, and each service by itself.
package cli

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/lab/ads"
	"github.com/gocasebook/casebook/lab/feature"
	"github.com/gocasebook/casebook/lab/messages"
	"github.com/gocasebook/casebook/lab/phones"
	"github.com/gocasebook/casebook/lab/sidecar"
	"github.com/gocasebook/casebook/lab/worker"
)

// A serviceMain runs one service of the lab until ctx ends. It reads its own flags.
type serviceMain func(ctx context.Context, args []string, stdout, stderr io.Writer) int

// Run executes the command line and returns the exit code.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return command.Run(ctx, rootCommand(), args, stdout, stderr)
}

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "lab",
		Short: "Run the sick services that Casebook is proved on",
		Long: `The lab holds real services that run sick or cured. "ls" lists them. "run" runs
them and says what was found, what was promised, and what the cure gains. The
other commands start one service, so that you can attach to it by hand. "demo"
shows the whole loop on one of them.`,
		Example: `  lab demo
  lab ls
  lab run phones/gcache
  lab upstreams
  lab phones -cache=gcache -warm 1000000 -items-url http://…`,
	}
	root.AddCommand(
		demoCommand(), listCommand(), runCommand(), besideCommand(),
		service("phones", "The phones gateway: whose number may a buyer see", phones.Main),
		service("upstreams", "The three services behind the phones gateway", phones.UpstreamsMain),
		service("ads", "The ad server: picks the ads for the slots of a page", ads.Main),
		service("content", "The content service behind ads: lists the ads", ads.ContentMain),
		service("sidecar", "A hop in front of Redis: forwards what it gets", sidecar.Main),
		service("worker", "The event pipeline: consumes a topic and stores the results", worker.Main),
		service("broker", "A Kafka broker with a producer of events, for the worker", worker.BrokerMain),
		service("store", "A database that the worker puts rows into, through Thrift", worker.StoreMain),
		service("messages", "Keeps messages in a log-structured store (Pebble)", messages.Main),
		service("feature", "The API tier of a feature store: the numbers that a model needs", feature.Main),
		service("compute", "Its compute tier: a cache over Redis over an expensive computation",
			feature.ComputeMain),
	)
	// All of them start services, and end them.
	root.PersistentPreRun = func(cmd *cobra.Command, _ []string) { command.InOrder(cmd.Context()) }
	command.Prepare(root)
	return root
}

func service(name, short string, run serviceMain) *cobra.Command {
	return &cobra.Command{
		Use:                name + " [flags]",
		Short:              short,
		DisableFlagParsing: true, // the service has its own flags: `lab phones -help`
		RunE: func(cmd *cobra.Command, args []string) error {
			if code := run(cmd.Context(), args, cmd.OutOrStdout(), cmd.ErrOrStderr()); code != command.ExitOK {
				return command.ExitError(code)
			}
			return nil
		},
	}
}
