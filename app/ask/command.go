package ask

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/internal/plain"
)

const (
	pipeWait  = time.Second // how long after a command's end its output may stay open in a child of its own
	lastLines = 5           // of what a failing command wrote to standard error
)

// run gives the prompt to the agent's command and returns what it prints. When ctx ends, or it prints too much, it is
// killed with its children.
func (a *Agent) run(ctx context.Context, p Prompt, l Limits) (string, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	out := output{most: l.Bytes, over: func() { cancel(tooLarge(l.Bytes)) }}
	var said child.Tail
	cmd := exec.CommandContext(ctx, a.Command[0], a.Command[1:]...)
	cmd.Stdin = strings.NewReader(p.Whole())
	cmd.Stdout, cmd.Stderr = &out, &said
	cmd.Env, cmd.Dir = a.environment(), a.Dir
	cmd.WaitDelay = pipeWait
	child.InGroup(cmd)
	err := cmd.Run()
	if cmd.Process != nil {
		_ = cmd.Cancel() // what it left behind
	}
	switch {
	case err == nil && !out.full, errors.Is(err, exec.ErrWaitDelay) && cmd.ProcessState.Success() && !out.full:
		return out.text.String(), nil
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	}
	return "", failed(a.Command[0], err, &said)
}

// environment is what the command sees: what finds programs and their settings, and what the agent names.
func (a *Agent) environment() []string {
	var env []string
	for _, name := range append([]string{"PATH", "HOME"}, a.Env...) {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// failed is a command's error with the last lines that it wrote.
func failed(name string, err error, said *child.Tail) error {
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, exec.ErrDot) {
		return fmt.Errorf("%w; give the command's path", err)
	}
	lines, _ := said.Last(lastLines)
	for i, l := range lines {
		lines[i] = "\n  " + short(l)
	}
	return fmt.Errorf("%s: %w%s", name, err, strings.Join(lines, ""))
}

// tooLarge is the error of an answer that nobody would read.
func tooLarge(most int) error {
	return fmt.Errorf("the answer is longer than %d bytes, and was not read to its end", most)
}

// An output keeps what a command prints, and calls over once it is more than most bytes.
type output struct {
	most int
	over func()
	text strings.Builder
	full bool
}

func (o *output) Write(p []byte) (int, error) {
	if o.full = o.full || o.text.Len()+len(p) > o.most; o.full {
		o.over()
		return len(p), nil
	}
	return o.text.Write(p)
}

// short is the beginning of a foreign text, as one line of printable characters.
func short(text string) string {
	const most = 300 // characters: two or three sentences
	text = strings.TrimSpace(plain.Text(text))
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return text
}
