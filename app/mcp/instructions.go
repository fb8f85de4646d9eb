package mcp

import (
	_ "embed"
	"slices"
)

//go:embed instructions.md
var instructions string

//go:embed instructions_run.md
var runInstructions string

//go:embed instructions_prove.md
var proveInstructions string

// Instructions is the text for the model: how to work with these tools, what numbers mean, and what not to claim.
func Instructions(allow []Action) string {
	text := instructions
	if runs(allow) {
		text += runInstructions
	}
	if slices.Contains(allow, Prove) {
		text += proveInstructions
	}
	return text
}
