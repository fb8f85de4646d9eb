package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/casework"
)

// caseReport draws the page of a case that has none: a service that watches itself wrote it, or it was imported.
func caseReport(dir *string) *cobra.Command {
	var links linkFlags
	var sourceDir string
	cmd := &cobra.Command{
		Use:   "report [ID]",
		Short: "Draw report.html, the page of a case",
		Long: `Report draws the page that shows a case: findings, signals, flame graphs,
evidence. The page is report.html in the case's folder, and any browser can open
it. casebook watch and capture draw it themselves; a service that watches itself
does not.

` + linksHelp(),
		Example: `  casebook case report
  casebook case report --source-url 'https://git.acme.org/{revision}/{path}'
  casebook case report --source ~/shop
  casebook case report --editor vscode --source-dir ~/shop
  casebook case report --dir /var/lib/casebook 20261121T132512Z-gc-cpu-3f2a9c`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			to, err := links.links()
			if err != nil {
				return err
			}
			f, err := openCase(*dir, args)
			if err != nil {
				return err
			}
			if to.Lines, err = linesFor(cmd.Context(), sourceDir, f); err != nil {
				return err
			}
			if err := casework.DrawPage(f, to); err != nil {
				return fmt.Errorf("drawing the report of %s: %w", f.Case.ID, err)
			}
			fmt.Fprintln(cmd.OutOrStdout(), casework.PagePath(f.Path))
			return nil
		},
	}
	links.add(cmd.Flags())
	cmd.Flags().StringVar(&sourceDir, "source", "",
		"`folder` of the program's source: the page shows the lines that findings name, and what these settle (default: it shows none)")
	return cmd
}
