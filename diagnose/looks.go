package diagnose

import "github.com/gocasebook/casebook/diagnose/stacks"

// LooksLikeEvidence reports whether a file is worth giving to Run, by its content: a folder holds notes, logs and binaries beside
// profiles. Damaged evidence looks like evidence.
func LooksLikeEvidence(data []byte) bool {
	e := Evidence{Data: data}
	return isVitals(e) || isNumbers(e) || stacks.Plausible(data)
}
