package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/gate"
	"github.com/gocasebook/casebook/app/history"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/app/tool"
	"github.com/gocasebook/casebook/internal/number"
)

func historyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "history",
		Short: "Keep what benchmarks took, and find the commits that changed it",
		Long: `History keeps a record for each run on the main branch, in a branch of the
repository that has nothing else: the figures of each benchmark, and what each
function has of them. Show finds where a level changed, over months: which
functions moved there, and which commits touched them.`,
		Example: `  casebook history record ./...
  casebook history show`,
	}
	cmd.AddCommand(historyRecord(), historyShow())
	return cmd
}

// historyBranch says where the records are.
type historyBranch struct{ dir, name, remote string }

func (f *historyBranch) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.dir, "C", ".", "run in this `folder`")
	flags.StringVar(&f.name, "branch", history.DefaultBranch, "the `branch` of the records")
	flags.StringVar(&f.remote, "remote", "origin", "the `remote` that has it; - for this repository alone")
}

// branch returns it. A repository without remotes keeps its own.
func (f *historyBranch) branch(cmd *cobra.Command) (*history.Branch, error) {
	b := &history.Branch{Dir: f.dir, Name: f.name, Remote: f.remote}
	if f.remote == "-" {
		b.Remote = ""
	} else if !cmd.Flags().Changed("remote") {
		known, err := tool.Git{Dir: f.dir}.Run(cmd.Context(), "remote")
		if err != nil {
			return nil, fmt.Errorf("--C: %w", err)
		}
		if len(strings.Fields(string(known))) == 0 {
			b.Remote = ""
		}
	}
	if _, err := (tool.Git{Dir: f.dir}).Run(cmd.Context(), "check-ref-format", "--branch", f.name); err != nil {
		return nil, fmt.Errorf("--branch: git knows no branch by a name like %q", f.name)
	}
	return b, nil
}

type historyRecordFlags struct {
	branch  historyBranch
	config  gate.Config
	machine string
	keep    int
	quiet   bool
}

func historyRecord() *cobra.Command {
	var f historyRecordFlags
	cmd := &cobra.Command{
		Use:   "record [PACKAGE…]",
		Short: "Measure a commit and append it to the history",
		Long: `Record measures the benchmarks of the packages (default: ./...) at HEAD, or at
--revision, profiles each, and appends one record to the branch casebook/history,
which it makes and pushes. Two at the same time do not lose a record.

Records of one machine are compared. By default a machine is its CPU, their
number and the system; on runners that differ more than that, name it.`,
		Example: `  casebook history record ./...
  casebook history record --bench Encode --benchtime 20ms --machine bench-1 ./codec
  casebook history record --remote - ./codec`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	command.Group(cmd, "Benchmarks", func(flags *pflag.FlagSet) {
		flags.StringVar(&f.config.Head, "revision", "HEAD", "the `revision` to measure")
		flags.StringVar(&f.config.Bench, "bench", ".", "run benchmarks that match this `pattern`, as go test -bench")
		flags.StringVar(&f.config.Benchtime, "benchtime", "5ms", "how `long` a run takes, as go test -benchtime")
		flags.IntVar(&f.config.Runs, "runs", 20, "how many `runs` per process; the fastest counts")
		flags.IntVar(&f.config.Rounds, "rounds", 5, "how many `processes`; the fastest counts")
		flags.StringVar(&f.machine, "machine", "", "the `name` of this machine")
	})
	command.Group(cmd, "Branch", func(flags *pflag.FlagSet) {
		f.branch.add(flags)
		flags.IntVar(&f.keep, "keep", 24, "how many `months` of records are kept")
		flags.BoolVarP(&f.quiet, "quiet", "q", false, "print no progress")
	})
	return cmd
}

func (f *historyRecordFlags) run(cmd *cobra.Command, packages []string) error {
	if f.config.Runs < 1 || f.config.Rounds < 1 || f.keep < 1 {
		return errors.New("--runs, --rounds and --keep: want 1 or more")
	}
	b, err := f.branch.branch(cmd)
	if err != nil {
		return err
	}
	b.Keep, b.RunsCode = f.keep, true // it runs the tree's benchmarks anyway
	f.config.Dir, f.config.Packages = f.branch.dir, packages
	if !f.quiet {
		f.config.Progress = cmd.ErrOrStderr()
	}
	command.InOrder(cmd.Context())
	r, notes, err := history.Take(cmd.Context(), f.config, f.machine)
	if err != nil {
		return err
	}
	for _, n := range notes {
		fmt.Fprintln(cmd.ErrOrStderr(), "casebook:", n)
	}
	if err := b.Append(cmd.Context(), r); err != nil {
		return err
	}
	where := "this repository"
	if b.Remote != "" {
		where = b.Remote
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "recorded %s of %.8s on %s, in branch %s of %s\n",
		number.Things(len(r.Benchmarks), "benchmark"), r.Commit, r.Machine.ID, b.Name, where)
	return err
}

type historyShowFlags struct {
	branch          historyBranch
	bench, markdown string
	json            bool
}

func historyShow() *cobra.Command {
	var f historyShowFlags
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Print where benchmarks changed, and the commits that did it",
		Long: `Show reads the records of the history and finds, for each benchmark, figure and
machine, where the level changed (docs/ci.md says how, and how often it is
wrong). At each change it names the functions that moved with it, and the
commits between the two records that touched them.`,
		Example: `  casebook history show
  casebook history show --bench Encode --markdown history.md`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.branch.add(cmd.Flags())
	cmd.Flags().StringVar(&f.bench, "bench", "", "only benchmarks whose package and name match this `pattern`")
	cmd.Flags().StringVar(&f.markdown, "markdown", "", "write Markdown to this `file`")
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON, with all values")
	return cmd
}

func (f *historyShowFlags) run(cmd *cobra.Command) error {
	only, err := regexp.Compile(f.bench)
	if err != nil {
		return fmt.Errorf("--bench: %w", err)
	}
	b, err := f.branch.branch(cmd)
	if err != nil {
		return err
	}
	if err := command.CheckWritable("--markdown", f.markdown); err != nil {
		return err
	}
	records, bad, err := b.Read(cmd.Context())
	if err != nil {
		return err
	}
	r, err := history.Analyze(cmd.Context(), records, history.Options{Repository: f.branch.dir, Benchmark: only})
	if err != nil {
		return err
	}
	r.Notes = append(r.Notes, bad...)
	if f.markdown != "" {
		var text strings.Builder
		if err := history.Markdown(&text, r); err != nil {
			return err
		}
		if err := os.WriteFile(f.markdown, []byte(text.String()), 0o644); err != nil {
			return fmt.Errorf("--markdown: %w", err)
		}
	}
	if f.json {
		return writeJSON(cmd.OutOrStdout(), r)
	}
	printHistory(cmd.OutOrStdout(), r)
	return nil
}

// printHistory prints the changes, the newest first, and what they were found in.
func printHistory(w io.Writer, r *history.Report) {
	p := terminal.New(w)
	for i := range r.Changes {
		c := &r.Changes[i]
		mark := "       "
		if c.Worse {
			mark = "WORSE  "
		}
		pkg, name, _ := strings.Cut(c.Benchmark, " ")
		p.Text(mark, name+"  "+c.Headline())
		for _, text := range []string{pkg, c.Numbers(), "on " + c.Machine, c.Place()} {
			p.Text("       ", text)
		}
		for _, reason := range c.Reasons() {
			text := strings.TrimLeft(reason, " ")
			p.Text(strings.Repeat(" ", 7+len(reason)-len(text)), text)
		}
		fmt.Fprintln(w)
	}
	for _, n := range r.Notes {
		p.Text("note   ", n)
	}
	p.Text("", r.Summary())
}
