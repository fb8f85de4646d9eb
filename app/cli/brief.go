package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/brief"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/internal/settings"
)

type briefFlags struct {
	tokens    int
	json      bool
	source    string
	anonymous bool
	keep      []string
	diagnose  diagnoseFlags // how a URL is captured
}

func briefCommand() *cobra.Command {
	var f briefFlags
	cmd := &cobra.Command{
		Use:   "brief CASE|FILE|DIR|ZIP|URL…",
		Short: "Write what the evidence shows for whoever is asked about it",
		Long: `Brief writes what one would hand to an expert, a script or a model, in one text
of at most --tokens: what people feel and what moved; the facts, the most
harmful first, each with its ID, its numbers and its stacks; what is known of
the modules on these stacks; the code around the places; Casebook's own findings
and what contradicts them; settings; what is missing and how to get it; how to
answer. What does not fit is counted at its end.

Evidence is named as for casebook diagnose. Code is that of --source, and of
dependencies from Go's module cache, in the versions of the build. Nothing is
built, run, or downloaded.

With --anonymous no name of the program's own module, of its functions, files
and folders, of hosts and of labels is in it, and none of its code. Names of the
standard library stay, those of modules that Casebook knows (casebook known),
and those below each --keep.

Exit codes: 0 written, 2 wrong usage, or no evidence could be read.`,
		Example: `  casebook brief casebook-cases/20261121T132512Z-gc-cpu-3f2a9c
  casebook brief --source ~/shop cpu.pb.gz heap.pb.gz goroutine.pb.gz > brief.md
  casebook brief --tokens 12000 --json incident.zip
  casebook brief --anonymous http://127.0.0.1:6060`,
		Args: command.NeedArgs("a case, a file or a URL", "casebook brief cpu.pb.gz"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.IntVar(&f.tokens, "tokens", brief.DefaultTokens,
		fmt.Sprintf("most `tokens` of the text, %d to %d", brief.LeastTokens, brief.MostTokens))
	flags.BoolVar(&f.json, "json", false, "print JSON")
	flags.StringVar(&f.source, "source", "",
		"`folder` of the program's source (default: this folder, if the program's module is here)")
	flags.BoolVar(&f.anonymous, "anonymous", false, "leave out the program's own names and code")
	flags.StringArrayVar(&f.keep, "keep", nil, "with --anonymous: keep the names of packages at or below this "+
		"import `path`; repeatable")
	command.Group(cmd, "For a URL", func(flags *pflag.FlagSet) {
		addSpan(flags, &f.diagnose.profile, &settings.ProfileFor)
		flags.StringVar(&f.diagnose.dir, "dir", "",
			"keep the capture as a case in this `folder` (default: keep nothing)")
		f.diagnose.budget.add(flags)
		f.diagnose.access.add(flags)
	})
	return cmd
}

func (f *briefFlags) check() error {
	switch {
	case f.tokens < brief.LeastTokens || f.tokens > brief.MostTokens:
		return fmt.Errorf("--tokens: %d is not between %d and %d", f.tokens, brief.LeastTokens, brief.MostTokens)
	case len(f.keep) > 0 && !f.anonymous:
		return fmt.Errorf("--keep is for --anonymous; without it every name is in the brief")
	}
	return settings.ProfileFor.CheckFlag(f.diagnose.profile)
}

func (f *briefFlags) run(cmd *cobra.Command, args []string) error {
	if err := f.check(); err != nil {
		return err
	}
	r := f.diagnose.request(cmd.InOrStdin(), args)
	r.Capture.Reason = "casebook brief"
	r.Places = assess.SourceIn(f.source)
	end := watchProgress(&r, cmd.ErrOrStderr())
	sheet, _, err := assess.Sheet(cmd.Context(), r)
	end()
	if err != nil {
		return err
	}
	if f.anonymous {
		if sheet, err = brief.Anonymous(sheet, f.keep...); err != nil {
			return err
		}
	}
	return f.write(cmd.OutOrStdout(), sheet)
}

func (f *briefFlags) write(w io.Writer, s *facts.Sheet) error {
	o := brief.Options{Tokens: f.tokens}
	if !f.json {
		_, err := w.Write(brief.Markdown(s, o))
		return err
	}
	data, err := brief.JSON(s, o)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", data)
	return err
}
