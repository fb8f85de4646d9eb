package diagnose

import (
	"strings"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// LooksLikeEvidence reports whether a file is worth giving to Run, by its content: a folder holds notes, logs and binaries beside
// profiles. Damaged evidence looks like evidence.
func LooksLikeEvidence(data []byte) bool {
	e := Evidence{Data: data}
	return isVitals(e) || isNumbers(e) || stacks.Plausible(data)
}

// NotEvidence says what a file is that people take for evidence and that is none: "HTML page", "empty file". It is "" for
// evidence, and for what nobody would take for it.
func NotEvidence(data []byte) string {
	if LooksLikeEvidence(data) {
		return ""
	}
	what := stacks.Mistaken(data)
	if i := strings.IndexAny(what, ",:"); i > 0 {
		what = what[:i]
	}
	return what
}
