package mcp

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"text/template"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

//go:embed prompt.md
var promptText string

// investigate is the name of the prompt that leads from a case to a proof.
const investigate = "investigate"

// A walk is what the prompt's text depends on.
type walk struct {
	Case               string
	Answer, Fix, Prove bool // what the operator allows
}

// Step is the number of one of the last steps: those before it are there only if they are allowed.
func (w walk) Step(name string) int {
	n := 6
	if w.Answer {
		n++
	}
	if name == "prove" && w.Fix {
		n++
	}
	return n
}

// addPrompt adds the prompt. Clients show it as a command that a person chooses.
func (s *Server) addPrompt() {
	text := template.Must(template.New(investigate).Parse(promptText))
	s.mcp.AddPrompt(&sdk.Prompt{Name: investigate, Title: "Investigate a case",
		Description: "From a case to its cause, checked against the facts, and to a proof where one is allowed.",
		Arguments: []*sdk.PromptArgument{{Name: "case", Title: "Case",
			Description: "a case or folder, as list_cases has them (default: latest, the newest)"}}},
		func(_ context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			w := walk{Case: r.Params.Arguments["case"], Answer: s.may(Answer), Fix: s.may(Fix), Prove: s.may(Prove)}
			switch {
			case w.Case == "":
				w.Case = latest
			case !validName(w.Case):
				return nil, fmt.Errorf("%.80q is not the name of a case: one is letters, digits, _ and -", w.Case)
			}
			var b strings.Builder
			if err := text.Execute(&b, w); err != nil {
				return nil, fmt.Errorf("writing the prompt: %w", err)
			}
			return &sdk.GetPromptResult{Description: "How to investigate case " + w.Case,
				Messages: []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: b.String()}}}}, nil
		})
}
