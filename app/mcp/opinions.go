package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/source"
	"github.com/gocasebook/casebook/casefile"
)

type answerArgs struct {
	Case   string `json:"case"`
	Answer any    `json:"answer"` // an object, or a text with one in it
	Author string `json:"author,omitempty"`
}

// addAnswer adds the tool that keeps answers. It changes case.json, so that the operator has to allow it, and runs
// nothing that would need a plan.
func (s *Server) addAnswer() {
	no := false
	add(s, &sdk.Tool{Name: "answer", Title: "Keep an answer",
		Annotations: &sdk.ToolAnnotations{DestructiveHint: &no, IdempotentHint: true, OpenWorldHint: &no},
		Description: "Checks an answer as check_answer does, and keeps it with its verdict in the case, as an opinion: " +
			"O1. It changes no finding. The same answer twice is one opinion."},
		answerTexts, reading(s, s.keepAnswer))
}

func (s *Server) keepAnswer(ctx context.Context, in answerArgs) (reply, error) {
	return s.answer(ctx, in, true)
}

// checkAnswer says of an answer what the evidence shows of it, and keeps nothing.
func (s *Server) checkAnswer(ctx context.Context, in answerArgs) (reply, error) {
	return s.answer(ctx, in, false)
}

func (s *Server) answer(ctx context.Context, in answerArgs, keep bool) (reply, error) {
	text, err := answerText(in.Answer)
	if err != nil {
		return reply{}, err
	}
	e, err := s.base.open(in.Case)
	if err != nil {
		return reply{}, err
	}
	defer e.close()
	if keep && e.Case == nil {
		return reply{}, fmt.Errorf("%s is a folder of profiles and no case: nothing can be kept there; check_answer checks",
			e.Name)
	}
	done, err := assess.Answer(ctx, assess.AnswerRequest{
		DiagnoseRequest: assess.DiagnoseRequest{Opened: &e.Opened, Places: s.places},
		Answer:          text, Author: in.Author, Source: s.sourceOf(e), DryRun: !keep, Given: time.Now()})
	if err != nil {
		return reply{}, err
	}
	return fitted(done, opinionText(done), nil)
}

// sourceOf is the folder of the operator's code, if it is that of a case's program; "" where it is not, or nobody knows.
func (s *Server) sourceOf(e *entry) string {
	if s.cfg.Source == "" || e.Case == nil {
		return ""
	}
	if _, err := source.Find(s.cfg.Source, e.Case.Case.Target.Build); err != nil {
		return ""
	}
	return s.cfg.Source
}

// answerText is an answer as package answer reads it.
func answerText(v any) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return nil, errors.New("there is no answer; want an object with place, cause and change")
	case string:
		return []byte(v), nil
	}
	return json.Marshal(v)
}

// opinionText is what the check says.
func opinionText(a *assess.Answered) string {
	var b strings.Builder
	o := &a.Opinion
	fmt.Fprintf(&b, "Verdict: %s.", o.Verdict)
	switch {
	case a.Case == "":
		b.WriteString(" It is not kept.")
	case a.Again:
		fmt.Fprintf(&b, " Case %s has it already, as %s.", a.Case, o.ID)
	default:
		fmt.Fprintf(&b, " Kept in case %s as %s.", a.Case, o.ID)
	}
	b.WriteString("\n")
	for _, r := range o.Reasons {
		fmt.Fprintf(&b, "%s (%s): %s", r.Verdict, r.About, r.Text)
		if len(r.Facts) > 0 {
			fmt.Fprintf(&b, " [%s]", strings.Join(r.Facts, ", "))
		}
		b.WriteString("\n")
	}
	if o.Verdict == casefile.Supported {
		b.WriteString("That the change helps is not shown by this: a proof would.\n")
	}
	return b.String()
}
