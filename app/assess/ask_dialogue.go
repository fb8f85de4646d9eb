package assess

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/answer"
	"github.com/gocasebook/casebook/app/ask"
	"github.com/gocasebook/casebook/app/brief"
	"github.com/gocasebook/casebook/casefile"
)

// A dialogue is what is said to one agent and what it says.
type dialogue struct {
	q     *Question
	agent *ask.Agent
	o     AskOptions
	res   *Asked
}

// hold asks, and once again what is not supported.
func (d *dialogue) hold(ctx context.Context) error {
	p, err := d.q.Prompt(d.o)
	if err == nil {
		err = d.round(ctx, p)
	}
	if err != nil || d.res.last().Verdict == casefile.Supported {
		return err
	}
	p.Text += askAgain(d.res.last())
	if err := d.round(ctx, p); err != nil {
		return err
	}
	if d.res.best() == nil {
		return fmt.Errorf("no answer to check came from %s: %s", d.agent.Name, strings.Join(d.res.last().reasons, "; "))
	}
	return nil
}

// round sends a prompt and checks what comes. An answer that cannot be read is a round with a reason; an error is of
// the agent that did not answer.
func (d *dialogue) round(ctx context.Context, p ask.Prompt) error {
	text := p.Whole()
	reply, err := ask.Ask(ctx, *d.agent, p, d.o.Limits)
	if err != nil {
		return err
	}
	d.res.Model = reply.Model
	d.res.Rounds = append(d.res.Rounds, Round{Sent: len(text), Tokens: brief.Tokens(text), Came: len(reply.Text),
		In: reply.In, Out: reply.Out, Seconds: reply.Took.Round(time.Millisecond).Seconds(), Cut: reply.Cut, sent: p,
		text: reply.Text})
	return d.check(ctx, d.res.last())
}

// check reads and checks the answer of a round.
func (d *dialogue) check(ctx context.Context, r *Round) error {
	if r.Cut != "" {
		r.reasons = append(r.reasons, "it is not whole: "+r.Cut)
	}
	of, err := d.q.shown(d.o)
	if err != nil {
		return err
	}
	parsed, err := answer.Parse([]byte(of.reveal(r.text)))
	if err != nil {
		r.reasons = append(r.reasons, err.Error())
		return nil
	}
	parsed.Author = d.agent.Who()
	if r.checked, err = d.q.request.check(ctx, parsed, d.q.sheet, d.q.Folder); err != nil {
		return err
	}
	r.Verdict = r.checked.Opinion.Verdict
	for _, why := range r.checked.Opinion.Reasons {
		if why.Verdict != casefile.Supported {
			r.reasons = append(r.reasons, d.reason(&why))
		}
	}
	return nil
}

// reason is what the agent is told of a check. Whoever got a brief without names gets no sentence either: it has those
// of the program, of functions that are in no fact, too.
func (d *dialogue) reason(why *casefile.Reason) string {
	text := why.Verdict + ", " + why.About
	if len(why.Facts) > 0 {
		text += " (" + strings.Join(why.Facts, ", ") + ")"
	}
	if d.o.Anonymous {
		return text
	}
	return text + ": " + why.Text
}
