package assess

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/plain"
)

const (
	maxQuoted  = 8 << 10   // bytes of a first answer that the second question quotes
	maxReasons = 20        // that it lists
	maxKept    = 256 << 10 // bytes of a text that a case keeps
)

// askAgain is the end of a second question: the first answer and what the check says of it. Both are quoted: the answer
// is the agent's, and reasons repeat names of it and of the evidence.
func askAgain(r *Round) string {
	var b strings.Builder
	b.WriteString("\n## 9. Your first answer, and what its check says\nYou answered:\n\n")
	b.WriteString(indented(cutBytes(r.text, maxQuoted)))
	b.WriteString("\nThe check, against the facts above:\n\n")
	for _, why := range r.reasons[:min(len(r.reasons), maxReasons)] {
		fmt.Fprintf(&b, "    - %s\n", plain.Text(why))
	}
	b.WriteString("\nAnswer once more, as one JSON object as above. Change what the check shows to be wrong, and " +
		"leave out what no fact supports.\nIf the facts show another cause, name that.\n")
	return b.String()
}

// indented is a text as code of Markdown, which has no end that a line of it could write.
func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString("    " + plain.Text(strings.TrimRight(line, "\r\n")) + "\n")
	}
	return b.String()
}

// cutBytes is the beginning of a text, and says so.
func cutBytes(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + fmt.Sprintf("\n… (%d of %d bytes)\n", most, len(text))
}

// keepTexts puts what was sent and what came beside the evidence, by the opinion's ID. Without one the next failure
// takes the same names, so that a case does not fill up.
func (a *Asked) keepTexts(f *casefile.Folder) error {
	name := "ask-failed"
	if a.Answered != nil && a.Opinion.ID != "" {
		name = "ask-" + a.Opinion.ID
	}
	for i := range a.Rounds {
		r := &a.Rounds[i]
		for _, part := range [...]struct{ end, text string }{{"sent.md", r.sent.Whole()}, {"came.md", r.text}} {
			file := fmt.Sprintf("%s-%s", name, part.end)
			if i > 0 {
				file = fmt.Sprintf("%s-again-%s", name, part.end)
			}
			if err := f.AddFile(file, shownBytes(part.text)); err != nil {
				return fmt.Errorf("keeping what was sent and what came: %w", err)
			}
			a.Files = append(a.Files, file)
		}
	}
	return nil
}

// shownBytes is a text as a file that may be looked at in a terminal.
func shownBytes(text string) []byte {
	var b bytes.Buffer
	_, _ = plain.NewWriter(&b, false).Write([]byte(cutBytes(text, maxKept))) // into memory
	return b.Bytes()
}
