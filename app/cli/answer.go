package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/answer"
	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/openfile"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/casefile"
)

type answerFlags struct {
	dir, author, source  string
	test, online, dryRun bool
	json                 bool
}

func answerCommand() *cobra.Command {
	var f answerFlags
	cmd := &cobra.Command{
		Use:   "answer CASE|FILE [ANSWER|-]",
		Short: "Check what somebody says of a case, and keep it there",
		Long: `Answer takes an answer to a case from anyone: a person, a script, an agent. It is
JSON, or text with JSON in it, of at most 1 MiB, from a file or standard input:
a place, a cause, and optionally a change, a diff, facts, numbers, a gain, and the
modules and settings that it uses. docs/answer.md has the form.

Each part is checked against the facts of the evidence (casebook brief prints
them), the source (--source), and the modules on this machine. The verdict is the
worst of the parts: supported, unsupported (nothing shows it) or contradicted (the
evidence or the code shows otherwise). That a change helps, no check says: prove
does.

The answer stays in the case as an opinion, beside the findings, and changes none
of them. Of files that are no case nothing is kept, and so with --dry-run.

A diff is applied and compiled in a private copy of the module, never in the tree.
--test runs the tests of the packages that it changes, which runs code of the diff.

Exit codes: 0 supported, 1 unsupported or contradicted, 2 wrong usage or failure.`,
		Example: `  casebook answer 20261121T132512Z-gc-cpu-3f2a9c answer.json
  my-agent < brief.md | casebook answer 20261121T13 - --author my-agent
  casebook answer 20261121T13 answer.json --source ~/shop --test`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return errors.New("casebook answer takes a case, and a file with the answer: casebook answer " +
					"CASE answer.json")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	cmd.Flags().StringVar(&f.dir, "dir", casebook.DefaultDir, "`folder` of the cases")
	cmd.Flags().StringVar(&f.author, "author", "", "`who` gives it (default: what the answer says)")
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "check, and keep nothing")
	command.Group(cmd, "What is looked at", func(flags *pflag.FlagSet) {
		flags.StringVar(&f.source, "source", "", "`folder` of the program's source (default: the facts have that of "+
			"this folder, if the program's module is here; diffs are not tried)")
		flags.BoolVar(&f.test, "test", false, "run the tests of the packages that a diff changes, with code of "+
			"the diff")
		flags.BoolVar(&f.online, "online", false, "ask the module proxy for releases and modules that are not here")
	})
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON")
	return cmd
}

func (f *answerFlags) run(cmd *cobra.Command, args []string) error {
	if f.test && f.source == "" {
		return errors.New("--test runs tests of the source: say where it is with --source DIR")
	}
	what, err := evidenceOf(f.dir, args[0])
	if err != nil {
		return err
	}
	if in, ok := cmd.InOrStdin().(*os.File); ok && len(args) == 1 && terminal.Is(in) {
		fmt.Fprintln(cmd.ErrOrStderr(), "Type or paste the answer, and end it with Ctrl-D; docs/answer.md has its form.")
	}
	data, err := readAnswer(cmd.InOrStdin(), args[1:])
	if err != nil {
		return err
	}
	r := assess.AnswerRequest{Answer: data, Author: f.author, Source: f.source, Test: f.test, Online: f.online,
		DryRun: f.dryRun, Given: time.Now()}
	r.What, r.Places = []string{what}, assess.SourceIn(f.source) // as brief has it: its facts are cited
	r.Reach = func(string) (casework.Target, error) {
		return casework.Target{}, errors.New("an answer is about evidence that was taken: capture it first " +
			"(casebook capture)")
	}
	res, err := assess.Answer(cmd.Context(), r)
	if err != nil {
		return interruptedOr(cmd.Context(), err)
	}
	if f.json {
		err = writeJSON(cmd.OutOrStdout(), res)
	} else {
		f.print(cmd.OutOrStdout(), args[0], res)
	}
	if err == nil && res.Opinion.Verdict != casefile.Supported {
		err = command.ErrFindings
	}
	if res.Case != "" {
		err = joined(err, redraw(res.Folder, new(linkFlags)))
	}
	return err
}

func interruptedOr(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return command.ExitError(command.ExitInterrupted)
	}
	return err
}

// evidenceOf is what an argument names: a case in a folder of cases by its ID, or files.
func evidenceOf(dir, arg string) (string, error) {
	folder, err := openCase(dir, []string{arg})
	if err == nil {
		return folder.Path, nil
	}
	if _, statErr := openfile.Soon(arg, func() (os.FileInfo, error) { return os.Stat(arg) }); statErr != nil {
		return "", err
	}
	return arg, nil
}

// readAnswer reads a file, or standard input.
func readAnswer(stdin io.Reader, args []string) ([]byte, error) {
	if len(args) == 0 || args[0] == "-" {
		data, err := io.ReadAll(io.LimitReader(stdin, answer.MaxBytes+1))
		if err != nil {
			return nil, fmt.Errorf("reading the answer from standard input: %w", err)
		}
		return data, nil
	}
	data, err := openfile.ReadBounded(args[0], answer.MaxBytes)
	var other *openfile.NotFileError
	if errors.As(err, &other) && other.Mode.IsDir() {
		return nil, fmt.Errorf("reading the answer: %w; the case comes first: casebook answer CASE answer.json", err)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the answer: %w", err)
	}
	return data, nil
}

func (f *answerFlags) print(w io.Writer, what string, res *assess.Answered) {
	p := terminal.New(w)
	p.Opinion(&res.Opinion)
	fmt.Fprintln(w)
	switch {
	case res.Again:
		p.Text("Kept     ", fmt.Sprintf("the case has it already, as %s; it says now what this check says",
			res.Opinion.ID))
	case res.Case != "":
		p.Text("Kept     ", fmt.Sprintf("as %s of case %s, by %s", res.Opinion.ID, res.Case, res.Opinion.Author))
	default:
		p.Text("Kept     ", "nowhere")
	}
	p.Text("Next     ", nextOf(f.dir, what, res))
}

// nextOf is what to do after a check of an answer to a case in a folder, or to other evidence.
func nextOf(dir, what string, res *assess.Answered) string {
	switch {
	case res.Opinion.Verdict != casefile.Supported:
		return "say what the reasons ask for, and answer again"
	case res.Case == "":
		return "measure the change: casebook prove --help"
	}
	of := res.Case
	switch {
	case casework.IsCase(what):
		of = what
	case dir != casebook.DefaultDir:
		of += " --dir " + dir
	}
	return "measure the change: casebook prove --case " + of + " --opinion " + res.Opinion.ID + " …"
}
