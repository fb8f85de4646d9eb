package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/app/store"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/internal/number"
)

func storePrune() *cobra.Command {
	var flags storeFlags
	var keep keepFlags
	var dryRun, asJSON bool
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Remove old cases until a store is within limits",
		Long: `Prune removes what casebook serve with the same limits would remove: the cases
that came first, while there are too many, too old ones, or too much evidence.
These stay: what is pinned, the first and the worst case of each kind of finding
of a service, the newest case, and cases that wait for a diagnosis. A limit that
is not given does not count. Then it sweeps.`,
		Example: `  casebook store prune --store /var/lib/casebook-store --keep-age 2160h --dry-run
  casebook store prune --store env:CASEBOOK_DB --blobs 's3://cases' --keep-bytes 200GiB --keep-cases 50000`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			limits, err := keep.retention()
			if err == nil && !keep.given() {
				err = errors.New("no limit is given; set --keep-age, --keep-bytes or --keep-cases")
			}
			if err != nil {
				return err
			}
			return flags.within(cmd, func(ctx context.Context, s *store.Store, out io.Writer) error {
				prune := s.Prune
				if dryRun {
					prune = s.PlanPrune
				}
				p, err := prune(ctx, limits)
				if err == nil && asJSON {
					err = writeJSON(out, p)
				} else {
					printPruning(out, p, dryRun)
				}
				if err != nil || dryRun {
					return err
				}
				_, _, err = s.Sweep(ctx)
				return err
			})
		},
	}
	flags.add(cmd.Flags())
	keep.addNone(cmd.Flags())
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "say what would be removed, and remove nothing")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func printPruning(w io.Writer, p store.Pruning, dryRun bool) {
	verb := "removed"
	if dryRun {
		verb = "would remove"
	}
	for i := range p.Removed {
		c := &p.Removed[i]
		fmt.Fprintln(w, verb, c.ID, render.Plain(c.Service))
	}
	fmt.Fprintf(w, "%s %s, %s; %s left, %s, %d of them pinned\n", verb, number.Things(len(p.Removed), "case"),
		number.Bytes(float64(p.Freed)), number.Things(p.Cases, "case"), number.Bytes(float64(p.Bytes)), p.Pinned)
	if p.OverBytes > 0 {
		terminal.New(w).Text("", fmt.Sprintf("What is left is %s above --keep-bytes: pinned cases, the newest case, and "+
			"the first and the worst of each kind of finding of a service stay. Raise the limit, or unpin some.",
			number.Bytes(float64(p.OverBytes))))
	}
}

func storePin() *cobra.Command {
	return pinCommand("pin", "Make cases stay whatever the limits of casebook serve", true)
}

func storeUnpin() *cobra.Command {
	return pinCommand("unpin", "Let cases go as others do", false)
}

func pinCommand(use, short string, pinned bool) *cobra.Command {
	var flags storeFlags
	cmd := &cobra.Command{
		Use:     use + " ID...",
		Short:   short,
		Example: "  casebook store " + use + " --store /var/lib/casebook-store 20261121T132512Z-gc-cpu-3f2a9c",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, ids []string) error {
			return flags.within(cmd, func(ctx context.Context, s *store.Store, _ io.Writer) error {
				var errs []error
				for _, id := range ids {
					errs = append(errs, s.Pin(ctx, id, pinned))
				}
				return errors.Join(errs...)
			})
		},
	}
	flags.add(cmd.Flags())
	return cmd
}
