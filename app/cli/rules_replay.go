package cli

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/internal/number"
)

func rulesTest() *cobra.Command {
	var on []string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "test [FILE] --on VITALS…",
		Short: "Say when rules would have fired on recorded vitals",
		Long: `Test replays recorded vitals through the rules of FILE, or through the built-in
ones, and says when each would have fired; of one that would not, how near it
came. VITALS is a case's folder, or a file of JSON lines such as a case's
vitals-before.jsonl; several are put in the order of time.

The recording is taken for all that was ever watched: the first 10 s are the
warm-up of most rules. A gap of more than two minutes starts again.

A rule may name the recording's own signals, too: gauges of the service, metrics
of a Prometheus page.

Exit codes: 0 no rule fired, 1 some fired, 2 something could not be read.`,
		Example: `  casebook rules test rules.json --on casebook-cases/20261121T132512Z-…
  casebook rules test rules.json --on vitals-before.jsonl vitals-during.jsonl
  casebook rules test --on vitals-before.jsonl --on vitals-during.jsonl --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(on) == 0 {
				return errors.New("casebook rules test wants recorded vitals, for instance: casebook rules test " +
					"rules.json --on vitals-before.jsonl")
			}
			r := assess.ReplayRequest{On: on}
			if len(args) > 0 {
				r.Rules, r.On = args[0], append(on, args[1:]...)
			}
			return testRules(cmd.OutOrStdout(), r, asJSON)
		},
	}
	cmd.Flags().StringArrayVar(&on, "on", nil, "recorded `vitals`: a case's folder or a file; more may follow")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func testRules(w io.Writer, r assess.ReplayRequest, asJSON bool) error {
	done, err := assess.Replay(r)
	if err != nil {
		return rulesFault(err)
	}
	if asJSON {
		err = writeJSON(w, done)
	} else {
		printReplay(w, done)
	}
	switch {
	case err != nil:
		return err
	case len(done.Failed) > 0: // what could be read was replayed
		return errors.Join(done.Failed...)
	case done.Fired():
		return command.ErrFindings
	}
	return nil
}

// mostFirings are printed of a rule; --json has all.
const mostFirings = 10

func printReplay(w io.Writer, r *assess.Replayed) {
	p := terminal.New(w)
	first, last := r.From.Local(), r.To.Local()
	layout := time.TimeOnly
	if first.Format(time.DateOnly) != last.Format(time.DateOnly) {
		layout = time.DateTime
	}
	p.Text("", fmt.Sprintf("%s, %s to %s", number.Things(r.Samples, "sample"), first.Format(time.DateTime),
		last.Format(layout+" MST")))
	for _, o := range r.Rules {
		fmt.Fprintln(w)
		if len(o.Fired) == 0 {
			fmt.Fprintf(w, "%s: did not fire\n", render.Plain(o.Rule))
			printClosest(p, layout, o)
			continue
		}
		fmt.Fprintf(w, "%s: fired %s\n", render.Plain(o.Rule), number.Things(len(o.Fired), "time"))
		for i, f := range o.Fired {
			if i == mostFirings {
				p.Text("  ", fmt.Sprintf("and %d more times", len(o.Fired)-i))
				break
			}
			p.Text("  "+f.Time.Local().Format(layout)+"  ", f.Text)
		}
	}
}

// printClosest says why a rule did not fire: how close each of its conditions came, and its state at the end.
func printClosest(p *terminal.Printer, layout string, o assess.Outcome) {
	for _, n := range o.Closest {
		p.Text("  wanted   ", n.Condition)
		at := ""
		if n.Time != nil {
			at = n.Time.Local().Format(layout) + " "
		}
		p.Text("  nearest  ", at+n.Text)
	}
	p.Text("  last     ", o.Last)
}
