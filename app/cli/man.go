package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

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
				text, err := manualPage(cmd.Root())
				if err == nil {
					_, err = cmd.OutOrStdout().Write(text)
				}
				return err
			}
			return writeManual(cmd, args[0])
		},
	}
}

// manualPage is the page of one command. Its date is that of the program's commit, so that it is the same whenever it
// is written. Where the build recorded none, such as with go install, the page has none: cobra has no way to say so.
func manualPage(c *cobra.Command) ([]byte, error) {
	var b bytes.Buffer
	date := command.Committed()
	header := doc.GenManHeader{Section: "1", Source: command.Tool(), Manual: "Casebook", Date: &date}
	if err := doc.GenMan(c, &header, &b); err != nil {
		return nil, fmt.Errorf("the manual page of %s: %w", c.CommandPath(), err)
	}
	return bytes.Replace(b.Bytes(), []byte(`"Jan 0001"`), []byte(`""`), 1), nil
}

// writeManual writes the pages of all commands.
func writeManual(cmd *cobra.Command, folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("writing the manual pages: %w; name a folder that you may write to", err)
	}
	cmd.Root().DisableAutoGenTag = true // the tag has the date on which the page was written
	pages, err := writePages(cmd.Root(), folder)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s in %s\n", number.Things(pages, "page"), folder)
	return err
}

// writePages writes the page of a command and of those below it, and counts them.
func writePages(c *cobra.Command, folder string) (pages int, err error) {
	for _, sub := range c.Commands() {
		if !sub.IsAvailableCommand() || sub.IsAdditionalHelpTopicCommand() {
			continue
		}
		below, err := writePages(sub, folder)
		if err != nil {
			return 0, err
		}
		pages += below
	}
	text, err := manualPage(c)
	if err != nil {
		return 0, err
	}
	name := strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1"
	if err := os.WriteFile(filepath.Join(folder, name), text, 0o644); err != nil {
		return 0, fmt.Errorf("writing the manual pages: %w", err)
	}
	return pages + 1, nil
}
