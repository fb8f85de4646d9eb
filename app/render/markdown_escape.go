package render

import (
	"strings"

	"github.com/gocasebook/casebook/internal/plain"
)

// Plain returns text of a case, of a target or of a page as a screen may show it: without control characters, whose
// sequences could rewrite a terminal, and without those that turn the direction of writing. Line ends, tabs and the
// like become spaces.
func Plain(text string) string { return plain.Text(text) }

// escape returns text that Markdown (CommonMark, GitHub's and GitLab's) shows as it is: no markup, no HTML, no link,
// nobody mentioned, no issue closed.
func escape(text string) string {
	text = strings.Join(strings.Fields(Plain(text)), " ")
	var b strings.Builder
	for i, r := range text {
		if special(text, i, r) {
			b.WriteByte('\\')
		}
		switch r {
		case '&':
			b.WriteString("&amp;")
		case '@':
			b.WriteString("@<!-- -->") // or it would notify somebody
		default:
			b.WriteRune(r)
		}
	}
	return unlink(b.String())
}

// special reports whether Markdown would take the character at i for markup.
func special(text string, i int, r rune) bool {
	switch {
	case strings.ContainsRune("\\`*[]<>#|~$!", r):
		return true
	case r == '_': // inside a word it is none
		return i == 0 || i+1 == len(text) || !wordByte(text[i-1]) || !wordByte(text[i+1])
	case i == 0:
		return strings.ContainsRune("+-=", r) // a list, a rule, a heading's underline
	case r == '.' || r == ')': // a numbered list
		return strings.Trim(text[:i], "0123456789") == "" && (i+1 == len(text) || text[i+1] == ' ')
	}
	return false
}

func wordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// unlink breaks what becomes a link without any markup.
func unlink(text string) string {
	return strings.NewReplacer("://", ":&#47;/", "www.", "www&#46;", "WWW.", "WWW&#46;").Replace(text)
}

// code returns text as a code span. Its fence is longer than any run of backticks in it.
func code(text string) string {
	text = strings.Join(strings.Fields(Plain(text)), " ")
	if text == "" {
		return ""
	}
	fence := strings.Repeat("`", LongestRun(text, '`')+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}

// cell returns a code span in a table, where a pipe ends the cell even inside code.
func cell(text string) string { return strings.ReplaceAll(code(text), "|", `\|`) }

// LongestRun is how often a byte stands in a row at most: a Markdown fence has to be longer than what it is around.
func LongestRun(text string, c byte) int {
	longest, run := 0, 0
	for i := range len(text) {
		if text[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
