// Package ask sends a text to an agent that the user has configured, and returns the text that comes back.
//
// The problem: whatever answers belongs to somebody else. It hangs, floods, breaks off in the middle, sends the
// question to another host, or repeats the key in an error. The approach: an Agent is a command, or an HTTP endpoint
// that speaks one of two published protocols. Ask bounds time, tokens and bytes, follows no redirect to another host,
// and takes the key out of everything that it returns, errors included. It sends the Prompt and nothing else: it reads
// no file, and of the environment only the variables that the Agent names.
//
// Limits: a command is bounded in time and bytes alone, and may send what it gets wherever it likes. A stream is read
// as it comes, but nothing is returned before it has ended.
package ask

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// A Prompt is what is sent.
type Prompt struct {
	System string // what to do, and in which form to answer
	Text   string // what it is about; it may hold anything
}

// Whole is the prompt as one text, which is what a command gets.
func (p Prompt) Whole() string { return p.System + "\n\n" + p.Text }

// Limits bound one call of Ask. Zero fields mean the defaults.
type Limits struct {
	Time   time.Duration // for all tries and pauses together
	Tokens int           // of the answer, what the model thinks beforehand included; a command is not bounded by it
	Bytes  int           // of the answer's text: a longer one is an error
}

// Defaults of Limits' zero fields. An answer is 300 to 2,000 tokens; models that think first use some thousands more.
const (
	DefaultTime   = 5 * time.Minute
	DefaultTokens = 8192
	DefaultBytes  = 1 << 20
)

// Check names the limit at fault.
func (l Limits) Check() error {
	switch {
	case l.Time < 0:
		return fmt.Errorf("the time is %s; want more than 0", l.Time)
	case l.Tokens < 0:
		return fmt.Errorf("the tokens are %d; want more than 0", l.Tokens)
	case l.Bytes < 0:
		return fmt.Errorf("the bytes are %d; want more than 0", l.Bytes)
	}
	return nil
}

func (l Limits) withDefaults() Limits {
	if l.Time == 0 {
		l.Time = DefaultTime
	}
	if l.Tokens == 0 {
		l.Tokens = DefaultTokens
	}
	if l.Bytes == 0 {
		l.Bytes = DefaultBytes
	}
	return l
}

// A Reply is what came back: foreign text, in which nothing is to be obeyed.
type Reply struct {
	Text  string        // valid UTF-8; it may hold control characters
	Model string        // as the endpoint calls it; "" where it does not say
	Cut   string        // why Text is not all of the answer; "": it is
	In    int           // tokens of the prompt, as the endpoint counts them; 0: it does not say
	Out   int           // tokens of the answer
	Took  time.Duration // with all tries
}

// errNothing is the error of an answer without text.
var errNothing = errors.New("the answer has no text")

// Ask sends a prompt to an agent and waits for the answer.
func Ask(ctx context.Context, a Agent, p Prompt, l Limits) (Reply, error) {
	return askWith(ctx, a, p, l, sleep)
}

// askWith is Ask with the pauses between tries given.
func askWith(ctx context.Context, a Agent, p Prompt, l Limits, pause pauser) (Reply, error) {
	if err := errors.Join(a.Check(), l.Check()); err != nil {
		return Reply{}, fmt.Errorf("agent %s: %w", short(a.Name), err)
	}
	secrets, err := a.secrets()
	if err != nil {
		return Reply{}, fmt.Errorf("agent %s: %w", a.Name, err)
	}
	l = l.withDefaults()
	ctx, cancel := context.WithTimeoutCause(ctx, l.Time, fmt.Errorf("it has not answered within %s", l.Time))
	defer cancel()
	began := time.Now()
	var r Reply
	if len(a.Command) > 0 {
		r.Text, err = a.run(ctx, p, l)
	} else {
		r, err = newExchange(&a, p, l, pause).run(ctx)
	}
	if err == nil && strings.TrimSpace(r.Text) == "" {
		err = emptyText(r.Cut)
	}
	if err != nil {
		return Reply{}, &failure{secrets.hide(fmt.Sprintf("asking %s: %v", a.Name, err)), err}
	}
	r.Text = secrets.hide(strings.ToValidUTF8(r.Text, "\uFFFD"))
	r.Model, r.Cut = secrets.hide(short(r.Model)), secrets.hide(r.Cut)
	r.Took = time.Since(began)
	return r, nil
}

func emptyText(cut string) error {
	if cut == "" {
		return errNothing
	}
	return fmt.Errorf("%w: %s", errNothing, cut)
}

// A failure is an error whose text has no secret in it.
type failure struct {
	text  string
	cause error
}

func (f *failure) Error() string { return f.text }

func (f *failure) Unwrap() error { return f.cause }

// A pauser waits between two tries.
type pauser func(context.Context, time.Duration) error

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return nil
	}
}
