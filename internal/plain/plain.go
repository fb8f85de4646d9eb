// Package plain makes foreign text harmless for a terminal.
//
// The problem: names in a profile, an error page, a rules file or a case of a stranger go to somebody's terminal, and a
// control character in them can clear it, rename its window, answer in the user's name, or turn the direction of
// writing so that a line says another thing than it does. The approach: Text makes a string one line of printable
// characters, for whoever lays text out; and Writer, through which all output goes, is the net below: it shows as
// \u001b what got through nevertheless, which in a string of JSON means the same as before.
//
// Limits: letters that look like others stay, and a line end that went around Text stays one.
package plain

import (
	"strings"
	"unicode"
)

// Text is a text as a screen may show it: without control characters and without those that turn the direction of
// writing. Line ends, tabs and the like become spaces.
func Text(text string) string {
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
