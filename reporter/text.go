package reporter

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/words"
)

// plain makes text of one line that is safe to log: control characters and line ends become single spaces, invalid
// UTF-8 becomes U+FFFD, and more than limit characters are cut.
func plain(text string, limit int) string {
	if most := 4*limit + 64; len(text) > most { // a character has at most 4 bytes; the rest would be cut anyway
		text = text[:most]
	}
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	return clip(strings.Join(strings.Fields(text), " "), limit)
}

// remedyText is a remedy's title, and the first sentence behind it where all of it has room: half of one misleads.
func remedyText(r *casefile.Remedy) string {
	how := r.Title + ". " + words.Sentences(r.Text)[0]
	if r.Text == "" || utf8.RuneCountInString(how) > maxSentence {
		return r.Title
	}
	return how
}

// clip cuts text to limit characters, the last of which then says so.
func clip(text string, limit int) string {
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	n := 0
	for i := range text {
		if n++; n == limit {
			return text[:i] + "…"
		}
	}
	return text
}

// quote makes text one word for a POSIX shell, as it is where that needs no quotes.
func quote(text string) string {
	safe := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' ||
			strings.ContainsRune("/._-+=:,@", r)
	}
	if text != "" && strings.IndexFunc(text, func(r rune) bool { return !safe(r) }) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
