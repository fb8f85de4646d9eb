package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/internal/number"
)

func manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man [FOLDER]",
		Short: "Write the manual pages",
		Long: `Man writes the manual pages to the folder: casebook.1 and one page per
subcommand. Without a folder it prints the page of casebook itself.`,
		Example: `  casebook man | man -l -
  casebook man ~/.local/share/man/man1`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return doc.GenMan(cmd.Root(), manHeader(), cmd.OutOrStdout())
			}
			return writeManual(cmd, args[0])
		},
	}
}

func manHeader() *doc.GenManHeader {
	return &doc.GenManHeader{Section: "1", Source: command.Tool(), Manual: "Casebook", Date: new(time.Time)}
}

// writeManual writes the pages of all commands.
func writeManual(cmd *cobra.Command, folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("writing the manual pages: %w; name a folder that you may write to", err)
	}
	root := cmd.Root()
	root.DisableAutoGenTag = true // the tag has the date on which the page was written
	if err := doc.GenManTree(root, manHeader(), folder); err != nil {
		return fmt.Errorf("the manual pages: %w", err)
	}
	pages, err := filepath.Glob(filepath.Join(folder, "casebook*.1"))
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s in %s\n", number.Things(len(pages), "page"), folder)
	return err
}
