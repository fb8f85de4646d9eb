package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
)

func casePrune(dir *string) *cobra.Command {
	var keep keepFlags
	var dryRun, asJSON bool
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Remove old cases until they are within limits",
		Long: `Prune removes what a watch with the same limits would remove.

` + keepText,
		Example: `  casebook case prune --dry-run
  casebook case prune --keep-bytes 500MiB --keep-age 168h
  casebook case prune --keep-cases 20 --keep-bytes -1 --keep-age -1s`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			limits, err := keep.retention()
			if err != nil {
				return err
			}
			p, err := casework.Prune(casework.PruneRequest{Dir: *dir, Keep: limits, DryRun: dryRun})
			if asJSON {
				if err := writeJSON(cmd.OutOrStdout(), p); err != nil {
					return err
				}
			} else {
				printPruned(cmd.OutOrStdout(), p, dryRun)
			}
			return err
		},
	}
	keep.add(cmd.Flags())
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "say what would be removed, and remove nothing")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func printPruned(w io.Writer, p casefile.Pruned, dryRun bool) {
	verb := "removed"
	if dryRun {
		verb = "would remove"
	}
	for _, id := range p.Removed {
		fmt.Fprintln(w, verb, id)
	}
	fmt.Fprintf(w, "%s %s, %s; %s left, %s\n", verb, number.Things(len(p.Removed), "case"),
		number.Bytes(float64(p.Freed)),
		number.Things(p.Cases, "case"),
		number.Bytes(float64(p.Bytes)))
	out := terminal.New(w)
	if p.Unreadable > 0 {
		out.Text("", fmt.Sprintf("%s of these cannot be read; look with casebook case ls, prune does not remove them",
			number.Things(p.Unreadable, "case")))
	}
	if p.OverBytes > 0 {
		out.Text("", overText(p))
	}
}

// overText says that the limit on bytes cannot be met, why, and what to do.
func overText(p casefile.Pruned) string {
	return fmt.Sprintf("%s left take %s, which is %s above --keep-bytes: prune never removes the newest case, or the "+
		"first and the worst of a rule. Raise the limit, or remove some yourself: casebook case rm",
		number.Things(p.Cases, "case"), number.Bytes(float64(p.Bytes)), number.Bytes(float64(p.OverBytes)))
}
