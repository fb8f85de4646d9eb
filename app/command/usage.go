package command

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/terminal"
)

// UsageWidth is the width of help: the narrowest terminal still in use.
const UsageWidth = 80

// usage prints how a command is used. Cobra's own does not wrap, and lists 30 flags alphabetically.
func usage(cmd *cobra.Command) error {
	w := cmd.OutOrStderr()
	p := &terminal.Printer{W: w, Width: UsageWidth}
	fmt.Fprintln(w, "Usage:")
	if !cmd.HasAvailableSubCommands() || cmd.Runnable() && cmd.DisableFlagsInUseLine {
		fmt.Fprintln(w, " ", cmd.UseLine())
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintln(w, " ", cmd.CommandPath(), "COMMAND")
	}
	if cmd.HasExample() {
		fmt.Fprintf(w, "\nExamples:\n%s\n", cmd.Example)
	}
	printCommands(p, cmd)
	for _, g := range groupsOf(cmd) {
		printFlags(p, g)
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\nRun '%s COMMAND --help' for more about a command.\n", cmd.CommandPath())
	}
	return nil
}

func printCommands(p *terminal.Printer, cmd *cobra.Command) {
	if !cmd.HasAvailableSubCommands() {
		return
	}
	fmt.Fprintln(p.W, "\nCommands:")
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			p.Text(fmt.Sprintf("  %-10s ", c.Name()), c.Short)
		}
	}
}

// A flagGroup holds the flags that serve one purpose.
type flagGroup struct {
	title string
	flags []*pflag.Flag
}

// groupKey is the annotation that names a flag's group.
const groupKey = "casebook-group"

// Group lists the flags that add defines under their own title in the command's help.
func Group(cmd *cobra.Command, title string, add func(*pflag.FlagSet)) {
	flags := pflag.NewFlagSet(title, pflag.ContinueOnError)
	flags.SortFlags = false
	add(flags)
	flags.VisitAll(func(f *pflag.Flag) { f.Annotations = map[string][]string{groupKey: {title}} })
	cmd.Flags().AddFlagSet(flags)
}

// groupsOf returns a command's flags by group: those without a group first, then the groups in the order they were
// added.
func groupsOf(cmd *cobra.Command) []flagGroup {
	groups := []flagGroup{{title: "Flags"}}
	cmd.Flags().SortFlags = false
	cmd.NonInheritedFlags().SortFlags = false
	add := func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		title := groups[0].title
		if g := f.Annotations[groupKey]; len(g) == 1 {
			title = g[0]
		}
		for i := range groups {
			if groups[i].title == title {
				groups[i].flags = append(groups[i].flags, f)
				return
			}
		}
		groups = append(groups, flagGroup{title, []*pflag.Flag{f}})
	}
	cmd.NonInheritedFlags().VisitAll(add)
	cmd.InheritedFlags().VisitAll(add)
	return groups
}

// maxFlagColumn bounds the column of flag names: a longer name has its text on the next line.
const maxFlagColumn = 26

func printFlags(p *terminal.Printer, g flagGroup) {
	if len(g.flags) == 0 {
		return
	}
	fmt.Fprintf(p.W, "\n%s:\n", g.title)
	labels, column := make([]string, len(g.flags)), 0
	for i, f := range g.flags {
		labels[i] = flagLabel(f)
		if n := terminal.Visible(labels[i]); n <= maxFlagColumn {
			column = max(column, n)
		}
	}
	for i, f := range g.flags {
		_, text := pflag.UnquoteUsage(f)
		text += defaultText(f)
		label := labels[i]
		if terminal.Visible(label) > column {
			io.WriteString(p.W, label+"\n")
			label = ""
		}
		p.Text(fmt.Sprintf("%-*s  ", column, label), text)
	}
}

// flagLabel returns what a person types: "  -o, --output file".
func flagLabel(f *pflag.Flag) string {
	label := "  "
	if f.Shorthand != "" {
		label += "-" + f.Shorthand + ", "
	}
	label += "--" + f.Name
	if value, _ := pflag.UnquoteUsage(f); value != "" {
		label += " " + value
	}
	return label
}

// defaultText returns a flag's default, unless it is a zero value.
func defaultText(f *pflag.Flag) string {
	switch f.DefValue {
	case "", "0", "0s", "false", "[]":
		return ""
	}
	text := strings.Trim(f.DefValue, "[]")
	if len(text) > UsageWidth/2 { // a list, which needs spaces to wrap at
		text = strings.ReplaceAll(text, ",", ", ")
	}
	if strings.Contains(text, " ") && f.Value.Type() == "string" {
		text = strconv.Quote(text)
	}
	if f.Value.Type() == "duration" { // Go writes 720h0m0s
		text = strings.Replace(strings.Replace(text, "m0s", "m", 1), "h0m", "h", 1)
	}
	return " (default " + text + ")"
}
