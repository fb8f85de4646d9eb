package assess

import (
	"context"
	_ "embed"
	"errors"
	"strings"

	"github.com/gocasebook/casebook/app/ask"
	"github.com/gocasebook/casebook/app/brief"
	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/casefile"
)

// askInstructions are what an agent is told before the brief.
//
//go:embed ask_instructions.md
var askInstructions string

// AskOptions say what an agent is sent, and how long it may take.
type AskOptions struct {
	Limits    ask.Limits
	Tokens    int      // of the brief; 0 means brief.DefaultTokens
	Anonymous bool     // the brief has stand-ins for names of the program
	Keep      []string // with Anonymous: import paths whose names stay
}

// A Question is evidence that was read, ready to be asked about. It may be put to several agents, one after another.
type Question struct {
	Folder *casefile.Folder // of the case; nil where the evidence is of none

	request AnswerRequest
	sheet   *facts.Sheet
	hidden  map[string]shown // anonymous sheets, by the names that stay
}

// NewQuestion reads the evidence of a request, whose Answer and Author are not used. Nothing is sent.
func NewQuestion(ctx context.Context, r AnswerRequest) (*Question, error) {
	sheet, folder, err := Sheet(ctx, r.DiagnoseRequest)
	if err != nil {
		return nil, err
	}
	return &Question{Folder: folder, request: r, sheet: sheet, hidden: make(map[string]shown)}, nil
}

// Prompt is what an agent is sent first.
func (q *Question) Prompt(o AskOptions) (ask.Prompt, error) {
	shown, err := q.shown(o)
	if err != nil {
		return ask.Prompt{}, err
	}
	return ask.Prompt{System: strings.TrimSpace(askInstructions),
		Text: string(brief.Markdown(shown.sheet, brief.Options{Tokens: o.Tokens}))}, nil
}

// A shown sheet is what a brief is made of, and what puts names back into an answer to it.
type shown struct {
	sheet  *facts.Sheet
	reveal func(text string) string
}

// shown is the sheet itself, or an anonymous one. Each of these has stand-ins of its own, so one is kept for all that
// is shown and asked.
func (q *Question) shown(o AskOptions) (shown, error) {
	if !o.Anonymous {
		return shown{q.sheet, func(text string) string { return text }}, nil
	}
	keep := strings.Join(o.Keep, "\x00")
	if known, ok := q.hidden[keep]; ok {
		return known, nil
	}
	hidden, reveal, err := brief.Hide(q.sheet, o.Keep...)
	if err != nil {
		return shown{}, err
	}
	q.hidden[keep] = shown{hidden, reveal}
	return q.hidden[keep], nil
}

// Asked is what came of asking one agent. It encodes as `casebook ask --json`.
type Asked struct {
	Agent  string  `json:"agent"`
	Model  string  `json:"model,omitempty"` // as the endpoint calls it
	To     string  `json:"to"`
	Rounds []Round `json:"rounds"`
	*Answered
	Files []string `json:"files,omitempty"` // of the case: what was sent and what came
	Error string   `json:"error,omitempty"` // why there is no answer to check
}

// A Round is one text sent and one that came.
type Round struct {
	Sent    int     `json:"sent"`              // bytes
	Tokens  int     `json:"tokens"`            // of what was sent, as Casebook estimates them
	Came    int     `json:"came"`              // bytes
	In      int     `json:"in,omitempty"`      // tokens, as the endpoint counts them
	Out     int     `json:"out,omitempty"`     //
	Seconds float64 `json:"seconds"`           // until the answer was there
	Cut     string  `json:"cut,omitempty"`     // why it is not all of it
	Verdict string  `json:"verdict,omitempty"` // of the check; empty if there was no answer in what came
	sent    ask.Prompt
	text    string
	reasons []string // what the check asks for
	checked *Answered
}

// Ask puts the question to an agent, checks the answer, and asks once again with the check's reasons if it is not
// supported. The better of the two goes into the case, with what was sent and what came beside it. The error says why
// nothing did; what was sent and what came is in the result either way.
func (q *Question) Ask(ctx context.Context, a ask.Agent, o AskOptions) (*Asked, error) {
	res := &Asked{Agent: a.Name, To: a.To()}
	d := dialogue{q, &a, o, res}
	err := d.hold(ctx)
	if res.Answered = res.best(); res.Answered != nil && ctx.Err() == nil {
		err = nil // of two answers, one stands
	}
	if q.Folder != nil && !q.request.DryRun {
		if err == nil {
			err = res.keep(q.Folder)
		}
		err = errors.Join(err, res.keepTexts(q.Folder))
	}
	if err != nil {
		res.Error = err.Error()
	}
	return res, err
}

func (a *Asked) last() *Round { return &a.Rounds[len(a.Rounds)-1] }

// best is the check of the better answer, the later of two that are as good; nil without any.
func (a *Asked) best() (best *Answered) {
	for i := range a.Rounds {
		if c := a.Rounds[i].checked; c != nil && (best == nil || rank(c) <= rank(best)) {
			best = c
		}
	}
	return best
}

// rank orders verdicts, the best first.
func rank(a *Answered) int {
	switch a.Opinion.Verdict {
	case casefile.Supported:
		return 0
	case casefile.Unsupported:
		return 1
	}
	return 2
}
