package diagnose

import (
	"strings"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// LooksLikeEvidence reports, by its content, whether a file is worth giving to Run: folders also contain notes, logs
// and binaries. Damaged evidence looks like evidence.
func LooksLikeEvidence(data []byte) bool {
	e := Evidence{Data: data}
	return isVitals(e) || isNumbers(e) || isHolders(e) || isTraceSummary(e) || isMachineUse(e) ||
		stacks.Plausible(data)
}

// NotEvidence names a file that people mistake for evidence: "HTML page", "empty file". It is "" for evidence, and for
// files that nobody would mistake for it.
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
