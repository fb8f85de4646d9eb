package cli

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/terminal"
)

// A treeUse says of a command that reads a source tree what of it the command runs. What the tree's git configuration
// names counts as its code. The command's help and the table of SECURITY.md have the same words.
type treeUse struct{ command, runs string }

// treeUses are those of all commands. What does not say that it runs something reads by package tool alone.
func treeUses() []treeUse {
	const proof = "its tests, and its benchmarks or its server"
	return []treeUse{
		{"diagnose", "no"},
		{"brief", "no"},
		{"answer", "no; with a diff, a copy of it is compiled. With --test: its tests, with the diff"},
		{"ask", "no; with a diff in the answer, a copy of it is compiled"},
		{"case show", "no"},
		{"case report", "no"},
		{"lint", "no; it is compiled"},
		{"fix", "no; it is compiled. With --prove: " + proof},
		{"escape", "no; it is compiled"},
		{"pgo", "no. With --prove: its server"},
		{"init", "no; it is compiled"},
		{"gate", "yes: its benchmarks or its server. With --proof: no"},
		{"history record", "yes: its benchmarks"},
		{"history show", "no; it asks the tree's git remote, but for --remote -"},
		{"prove", "yes: the servers that you name, with --rev and --against built from it"},
		{"serve", "no; it reads the history of the folders of --repository"},
		{"mcp", "no. With --allow fix and --fix-proof, or --allow prove: what fix --prove and prove run"},
	}
}

// sayTreeUses puts them into the help.
func sayTreeUses(root *cobra.Command) {
	for _, u := range treeUses() {
		c, _, err := root.Find(strings.Fields(u.command))
		if err != nil {
			panic("no command " + u.command + ": " + err.Error()) // of the list above
		}
		c.Long = cmp.Or(c.Long, c.Short+".") + "\n\n" +
			strings.Join(terminal.Wrap("Runs code of the source tree: "+u.runs+".", command.UsageWidth), "\n")
	}
}
