package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/brief"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
)

type askFlags struct {
	agents      string
	names       []string
	all         bool
	show, yes   bool
	dir, source string
	tokens      int
	anonymous   bool
	keep        []string
	online      bool
	dryRun      bool
	json        bool
}

func askCommand() *cobra.Command {
	var f askFlags
	cmd := &cobra.Command{
		Use:   "ask CASE|FILE|DIR|ZIP",
		Short: "Ask the agent that you have configured, and check what it answers",
		Long: `Ask sends a brief of the evidence (casebook brief) to an agent: a command of
yours, or an endpoint that speaks the protocol of OpenAI's chat completions or
of Anthropic's messages. It checks the answer (casebook answer), asks once again
with the check's reasons if it is not supported, and puts the better of the two
into the case as an opinion, with what was sent and what came beside it.

Nobody is asked until a file says who: --agents, $CASEBOOK_AGENTS, or
casebook/agents.yaml in $XDG_CONFIG_HOME or ~/.config. docs/ask.md has the form.
Before the first time that something is sent to an agent at an address, it says
what, to whom and how much, and asks, or wants --yes. --show prints the text and
sends nothing. Keys come from the environment, and are shown and kept nowhere.

An answer is text that is checked, and nothing in it is obeyed. It decides
nothing: casebook prove does.

Exit codes: 0 all answers are supported, 1 one is not, 2 wrong usage, or an
agent did not answer.`,
		Example: `  casebook ask --show 20261121T132512Z-gc-cpu-3f2a9c
  casebook ask 20261121T13
  casebook ask --agent mine --agent other 20261121T13
  casebook ask --all --anonymous cpu.pb.gz heap.pb.gz`,
		Args: command.NeedArgs("a case or a file", "casebook ask 20261121T132512Z-gc-cpu-3f2a9c"),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.agents, "agents", "", "`file` with the agents (default: $CASEBOOK_AGENTS, or the user's)")
	flags.StringArrayVar(&f.names, "agent", nil, "`name` of an agent of that file; repeatable (default: the only one)")
	flags.BoolVar(&f.all, "all", false, "ask all of them, and say where they agree")
	flags.BoolVar(&f.show, "show", false, "print what would be sent, and send nothing")
	flags.BoolVar(&f.yes, "yes", false, "send without a question, also the first time")
	flags.StringVar(&f.dir, "dir", casebook.DefaultDir, "`folder` of the cases")
	flags.BoolVar(&f.dryRun, "dry-run", false, "ask and check, and keep nothing in the case")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	command.Group(cmd, "The brief", func(flags *pflag.FlagSet) {
		flags.IntVar(&f.tokens, "tokens", 0, "most `tokens` of it (default: what the file says, or casebook brief's)")
		flags.BoolVar(&f.anonymous, "anonymous", false, "leave out the program's own names and code")
		flags.StringArrayVar(&f.keep, "keep", nil,
			"with --anonymous: keep names at or below this import `path`; repeatable")
		flags.StringVar(&f.source, "source", "", "`folder` of the program's source, for the brief and for the check")
	})
	command.Group(cmd, "The check", func(flags *pflag.FlagSet) {
		flags.BoolVar(&f.online, "online", false, "ask the module proxy for releases and modules that are not here")
	})
	return cmd
}

func (f *askFlags) check() error {
	if err := checkTokens("--tokens", f.tokens); err != nil {
		return err
	}
	if len(f.keep) > 0 && !f.anonymous {
		return errors.New("--keep is for --anonymous; without it every name is in the brief")
	}
	return nil
}

// checkTokens checks how large a brief is to be; 0 leaves it to the default.
func checkTokens(setting string, n int) error {
	if n != 0 && (n < brief.LeastTokens || n > brief.MostTokens) {
		return fmt.Errorf("%s: %d is not between %d and %d", setting, n, brief.LeastTokens, brief.MostTokens)
	}
	return nil
}

func (f *askFlags) run(cmd *cobra.Command, args []string) error {
	if err := f.check(); err != nil {
		return err
	}
	var who []agent
	if !f.show { // which needs nobody
		all, err := configured(f.agents)
		if err == nil {
			who, err = chosen(all, f.names, f.all)
		}
		if err != nil {
			return err
		}
	}
	r, err := f.request(args)
	if err != nil {
		return err
	}
	end := busyWith(cmd.ErrOrStderr(), "reading the evidence and the source")
	q, err := assess.NewQuestion(cmd.Context(), r)
	end()
	if err != nil {
		return interruptedOr(cmd.Context(), err)
	}
	if f.show {
		p, err := q.Prompt(f.options(new(agent)))
		if err == nil {
			_, err = fmt.Fprintln(cmd.OutOrStdout(), p.Whole())
		}
		return err
	}
	if err := f.allow(cmd, q, who); err != nil {
		return err
	}
	command.InOrder(cmd.Context()) // a command of an agent ends before this one does
	err = f.ask(cmd, q, who)
	if !f.dryRun {
		err = joined(err, redraw(q.Folder, new(linkFlags)))
	}
	return err
}

// joined adds a second error to a first one, and leaves the first as it is without one: what a command ends with is
// more than a text.
func joined(first, second error) error {
	if second == nil {
		return first
	}
	return errors.Join(first, second)
}

// redraw draws the page of a case again, if it has one: there is something new in it.
func redraw(f *casefile.Folder, flags *linkFlags) error {
	if f == nil || !casework.HasPage(f.Path) {
		return nil
	}
	links, err := flags.links()
	if err == nil {
		err = casework.DrawPage(f, links)
	}
	if err != nil {
		return fmt.Errorf("the answer is kept, but drawing the report failed: %w; try casebook case report", err)
	}
	return nil
}

// request names the evidence. An address is none: whoever is asked gets what was captured and may be looked at before.
func (f *askFlags) request(args []string) (r assess.AnswerRequest, err error) {
	for _, arg := range args {
		what, err := evidenceOf(f.dir, arg)
		if err != nil {
			return r, err
		}
		r.What = append(r.What, what)
	}
	r.Source, r.Online, r.DryRun, r.Given = f.source, f.online, f.dryRun, time.Now()
	r.Places = assess.SourceIn(f.source)
	r.Reach = func(string) (casework.Target, error) {
		return casework.Target{}, errors.New("agents are asked about evidence that was taken: capture it first " +
			"(casebook capture)")
	}
	return r, nil
}

// options are how an agent is asked: as the file says, and the command line where that says it.
func (f *askFlags) options(a *agent) assess.AskOptions {
	o := a.options
	o.Tokens = cmp.Or(f.tokens, o.Tokens)
	o.Anonymous = o.Anonymous || f.anonymous
	o.Keep = slices.Concat(o.Keep, f.keep)
	return o
}

// allow says what will be sent to whom, and asks where it is the first time.
func (f *askFlags) allow(cmd *cobra.Command, q *assess.Question, who []agent) error {
	consents, err := openConsents()
	if err != nil {
		return err
	}
	w := cmd.ErrOrStderr()
	for i := range who {
		a := &who[i]
		o := f.options(a)
		prompt, err := q.Prompt(o)
		if err != nil {
			return err
		}
		text := prompt.Whole()
		size := fmt.Sprintf("about %s tokens, %s", number.Count(float64(brief.Tokens(text))),
			number.Bytes(float64(len(text))))
		needed := consentFor(a, o.Anonymous)
		known, err := consents.has(needed)
		if err != nil {
			return err
		}
		if known {
			fmt.Fprintf(w, "Asking %s at %s: %s\n", a.Who(), a.To(), size)
			continue
		}
		introduce(w, a, size, o.Anonymous, q.Folder != nil && !f.dryRun)
		if !f.yes {
			if err := consents.ask(cmd.InOrStdin(), w, a); err != nil {
				return err
			}
		}
		if err := consents.add(needed); err != nil {
			return fmt.Errorf("noting that %s may be asked: %w", a.Name, err)
		}
	}
	return nil
}

// introduce says what is sent to an agent for the first time.
func introduce(w io.Writer, a *agent, size string, anonymous, keeps bool) {
	p := terminal.New(w)
	what := "the brief, with names and code of the program (--anonymous leaves them out), and how to answer"
	if anonymous {
		what = "the brief, without names and code of the program, and how to answer"
	}
	p.Text("", "This is the first time that "+a.Who()+" is asked at this address.")
	p.Text("To       ", a.To())
	p.Text("What     ", fmt.Sprintf("%s: %s. casebook ask --show prints all of it. If the answer is not supported, "+
		"the same is sent once more, with the answer and the check's reasons.", size, what))
	if keeps {
		p.Text("Kept     ", "what is sent and what comes, in the case")
	}
}

// An askedOutput is what --json prints.
type askedOutput struct {
	Schema     int                `json:"schema"`
	Asked      []*assess.Asked    `json:"asked"`
	Agreements []assess.Agreement `json:"agreements"`
}

// ask asks one agent after another. One that fails does not stop the others.
func (f *askFlags) ask(cmd *cobra.Command, q *assess.Question, who []agent) error {
	out := askedOutput{Schema: casefile.Schema, Agreements: []assess.Agreement{}}
	var failed []error
	supported := true
	for i := range who {
		a := &who[i]
		end := busyWith(cmd.ErrOrStderr(), "waiting for "+a.Name)
		res, err := q.Ask(cmd.Context(), a.Agent, f.options(a))
		end()
		if cmd.Context().Err() != nil {
			return interruptedOr(cmd.Context(), context.Cause(cmd.Context()))
		}
		if err != nil {
			failed = append(failed, err)
		}
		out.Asked = append(out.Asked, res)
		supported = supported && res.Answered != nil && res.Opinion.Verdict == casefile.Supported
		if !f.json && res.Answered != nil {
			printAsked(cmd.OutOrStdout(), res)
			if len(who) > 1 {
				fmt.Fprintln(cmd.OutOrStdout())
			}
		}
	}
	if len(who) > 1 {
		out.Agreements = append(out.Agreements, assess.Agreements(out.Asked)...)
	}
	if f.json {
		failed = append(failed, writeJSON(cmd.OutOrStdout(), out))
	} else {
		printAgreements(cmd.OutOrStdout(), out.Agreements)
	}
	if err := errors.Join(failed...); err != nil {
		return err
	}
	if !supported {
		return command.ErrFindings
	}
	return nil
}
