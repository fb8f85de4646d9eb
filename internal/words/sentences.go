package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gocasebook/casebook/casefile"
)

// A seenSentences remembers the sentences that a reader has read. The texts of a finding are written separately, by
// detectors, by the code that joins findings and by the catalogue of remedies, and can say the same thing twice.
type seenSentences map[string]bool

// fresh returns a text without the sentences that are known already; it remembers the rest.
func (s seenSentences) fresh(text string) string {
	var out strings.Builder
	for _, sentence := range Sentences(text) {
		key := strings.ToLower(strings.TrimRight(strings.TrimSpace(sentence), ".!"))
		if key != "" && s[key] {
			continue
		}
		s[key] = true
		out.WriteString(sentence)
	}
	return strings.TrimSpace(out.String())
}

// Sentences cuts a text behind each full stop that a blank and a capital follow, and at the ends of lines. Together
// they are the text.
func Sentences(text string) []string {
	var out []string
	start := 0
	for i := range len(text) {
		end := i + 1
		switch {
		case text[i] == '\n':
		case strings.IndexByte(".!?", text[i]) >= 0 && end < len(text) && text[end] == ' ' && begins(text[end+1:]):
			end++
		default:
			continue
		}
		out = append(out, text[start:end])
		start = end
	}
	return append(out, text[start:])
}

func begins(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsUpper(r) || r == '`'
}

// withoutRepetition removes from a finding's texts what it has said before. The summary stays whole.
func withoutRepetition(f casefile.Finding) casefile.Finding {
	s := make(seenSentences)
	s.fresh(f.Title)
	s.fresh(f.Summary)
	f.Impact.Text = s.fresh(f.Impact.Text)
	f.Impact.Gain.Arithmetic = s.fresh(f.Impact.Gain.Arithmetic)
	remedies := make([]casefile.Remedy, len(f.Remedies))
	for i, r := range f.Remedies {
		r.Text, r.Price = s.fresh(r.Text), s.fresh(r.Price)
		remedies[i] = r
	}
	f.Remedies = remedies
	f.Explanation = s.fresh(f.Explanation)
	return f
}
