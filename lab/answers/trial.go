package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"
	"unicode/utf8"

	"github.com/gocasebook/casebook/app/answer"
	"github.com/gocasebook/casebook/app/ask"
	"github.com/gocasebook/casebook/internal/plain"
)

// What an agent may be given.
const (
	raw     = "raw"   // the files of evidence, in its folder
	briefed = "brief" // casebook brief on standard input, and an empty folder
)

// A Trial is one run of the agent on one case.
type Trial struct {
	Case  string `json:"case"`
	Given string `json:"given"` // "raw" or "brief"
	Run   int    `json:"run"`   // from 1

	Grade   grade    `json:"grade"`           // by the patterns
	Check   string   `json:"check,omitempty"` // the verdict; empty without an answer
	Reasons []string `json:"reasons,omitempty"`
	Place   string   `json:"place,omitempty"`   // the first that it names
	Problem string   `json:"problem,omitempty"` // why there is no answer
	Answer  string   `json:"answer,omitempty"`  // the beginning of what it printed

	Seconds float64 `json:"seconds"`
	Size    int     `json:"characters"` // of what it was given: standard input and files
	Usage   *usage  `json:"usage,omitempty"`
}

// A usage is what an agent says that it read and wrote, in tokens.
type usage struct {
	Input   int `json:"input_tokens"`
	Created int `json:"cache_creation_input_tokens,omitempty"`
	Cached  int `json:"cache_read_input_tokens,omitempty"`
	Output  int `json:"output_tokens"`
}

// read is all that it read.
func (u *usage) read() int { return u.Input + u.Created + u.Cached }

// Bounds of what is kept of an agent; package ask bounds what is read of it.
const (
	maxShown = 4 << 10 // bytes of what it printed
	maxPlace = 120     // bytes of a place
)

// unwrap takes the answer out of the JSON object in which some agents print it, beside what they used: that of
// claude -p --output-format json has "result" and "usage". All other text is the answer itself.
func unwrap(printed string) (string, *usage) {
	var w struct {
		Result *string `json:"result"`
		Usage  *usage  `json:"usage"`
	}
	if json.Unmarshal([]byte(printed), &w) != nil || w.Result == nil {
		return printed, nil
	}
	return *w.Result, w.Usage
}

// try runs the agent once: in a folder of its own that is removed, with what it is given, for no longer than the limit.
func (r *runner) try(ctx context.Context, w *ward, what string, n int) Trial {
	t := Trial{Case: w.name, Given: what, Run: n, Grade: none}
	dir, err := os.MkdirTemp("", "answers-*")
	if err != nil {
		t.Problem = err.Error()
		return t
	}
	defer func() { _ = os.RemoveAll(dir) }() // of the system's temporary folder
	in, err := w.input(dir, what, r.source)
	if err != nil {
		t.Problem = err.Error()
		return t
	}
	t.Size = in.size
	agent := ask.Agent{Name: "agent", Command: r.agent, Env: r.env, Dir: dir}
	began := time.Now()
	said, err := ask.Ask(ctx, agent, in.prompt, ask.Limits{Time: r.limit})
	t.Seconds = time.Since(began).Seconds()
	if err != nil {
		t.Problem = shown(err.Error(), maxShown)
		return t
	}
	r.judge(ctx, &t, w, said.Text)
	return t
}

// judge says what an answer is worth.
func (r *runner) judge(ctx context.Context, t *Trial, w *ward, printed string) {
	printed, t.Usage = unwrap(printed)
	t.Answer = shown(printed, maxShown)
	a, err := answer.Parse([]byte(printed))
	if err != nil {
		t.Problem = shown(err.Error(), maxShown)
		return
	}
	t.Grade = r.patterns[w.name].grade(&a)
	t.Place = placeOf(&a)
	o := answer.Check(ctx, a, w.sheet, answer.Options{Source: w.places})
	t.Check = o.Verdict
	for _, reason := range o.Reasons {
		t.Reasons = append(t.Reasons, shown(reason.Verdict+" "+reason.About+": "+reason.Text, maxShown))
	}
}

// placeOf is the first place that an answer names, as two answers that agree name it: the function, and only without
// one the file.
func placeOf(a *answer.Answer) string {
	if len(a.Place) == 0 {
		return ""
	}
	if f := a.Place[0].Function; f != "" {
		return shown(f, maxPlace)
	}
	return shown(fmt.Sprintf("%s:%d", a.Place[0].File, a.Place[0].Line), maxPlace)
}

// shown is the beginning of a foreign text, on one line.
func shown(text string, limit int) string {
	if len(text) > limit {
		for limit > 0 && !utf8.RuneStart(text[limit]) {
			limit--
		}
		text = text[:limit] + "…"
	}
	return plain.Text(text)
}
