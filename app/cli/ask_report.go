package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/reporter"
)

// askedFlags say which agents are asked about each new case of a watch or a server. That they are given is the
// permission to send: nobody is there to be asked.
type askedFlags struct {
	names []string
	file  string
}

func (f *askedFlags) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.names, "ask", nil, "ask the agent of this `name` about each new case, and keep its answer "+
		"there; repeatable; see casebook ask")
	flags.StringVar(&f.file, "agents", "", "`file` with the agents of --ask (default: $CASEBOOK_AGENTS, or the user's)")
}

func (f *askedFlags) given() bool { return len(f.names) > 0 }

// who are the agents of --ask.
func (f *askedFlags) who() ([]agent, error) {
	all, err := configured(f.file)
	if err == nil {
		all, err = chosen(all, f.names, false)
	}
	return all, err
}

// sayWho says at the start where briefs of new cases will go.
func sayWho(w io.Writer, who []agent) {
	for i := range who {
		fmt.Fprintf(w, "A brief of each new case is sent to %s at %s\n", who[i].Who(), who[i].To())
	}
}

// sayAsked is sayWho for a watch.
func (f *reportFlags) sayAsked(w io.Writer) error {
	if !f.asked.given() {
		return nil
	}
	who, err := f.asked.who()
	sayWho(w, who)
	return err
}

// A desk asks agents about one case at a time, whichever of many watches has it.
type desk struct {
	who  []agent
	turn chan struct{} // holds whoever is asking
}

func newDesk(who []agent) *desk { return &desk{who, make(chan struct{}, 1)} }

// limit is how long one case may take: two questions to each agent, and reading the evidence.
func (d *desk) limit() time.Duration {
	all := time.Minute
	for i := range d.who {
		all += 2 * d.who[i].timeLimit()
	}
	return all
}

// ask asks all agents about a case. do gets each answer.
func (d *desk) ask(ctx context.Context, folder string, dryRun bool, do func(*assess.Asked) error) (*casefile.Folder,
	error) {
	select {
	case d.turn <- struct{}{}:
		defer func() { <-d.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	r := assess.AnswerRequest{DryRun: dryRun, Given: time.Now()}
	r.What, r.Places = []string{folder}, assess.SourceIn("")
	q, err := assess.NewQuestion(ctx, r)
	if err != nil {
		return nil, err
	}
	var failed []error
	for i := range d.who {
		res, err := q.Ask(ctx, d.who[i].Agent, d.who[i].options)
		if err == nil {
			err = do(res)
		}
		failed = append(failed, err)
	}
	return q.Folder, errors.Join(failed...)
}

// reporter asks about each case that is reported. It never asks twice: an agent that did not answer costs as much
// again. links are those of the pages of cases.
func (d *desk) reporter(links *linkFlags) reporter.Reporter {
	return reporter.Reporter{Name: "ask", Timeout: d.limit(), Retry: reporter.Retry{Tries: 1},
		Send: func(ctx context.Context, r reporter.Report) error {
			f, err := d.ask(ctx, r.Folder, false, func(*assess.Asked) error { return nil })
			return errors.Join(err, redraw(f, links))
		}}
}
