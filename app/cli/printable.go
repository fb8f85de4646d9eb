package cli

import (
	"strings"
	"unicode"
)

// printable is text of a case, of a target or of a page as a terminal may show it: without escape sequences, which could
// rewrite the screen, and without characters that turn the direction of writing. Line ends, tabs and the like become spaces.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return unicode.ReplacementChar
		}
		return r
	}, text)
}
