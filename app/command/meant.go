package command

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/internal/near"
)

// knownCommand refuses an unknown command, and names the commands that were probably meant. Cobra's own check does it
// for a command that cannot run by itself; ours print their help.
func knownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return fmt.Errorf("unknown command %q%s\nSee '%s --help'", args[0], Meant(args[0], names, ""), cmd.CommandPath())
}

// flagError adds the flags that the user may have meant, and where to read more.
func flagError(cmd *cobra.Command, err error) error {
	text := ""
	if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		})
		text = Meant(unknown.GetSpecifiedName(), names, "--")
	}
	return fmt.Errorf("%w%s\nSee '%s --help'", err, text, cmd.CommandPath())
}

// maxMeant bounds the names that are suggested: the nearest is nearly always the right one.
const maxMeant = 2

// Meant is "; did you mean --interval?", or nothing when no name is near.
func Meant(word string, names []string, prefix string) string {
	found := near.Names(word, names)
	if len(found) == 0 {
		return ""
	}
	return "; did you mean " + prefix + strings.Join(found[:min(len(found), maxMeant)], " or "+prefix) + "?"
}
