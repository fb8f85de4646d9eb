package brief

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/internal/plain"
)

// longName bounds what is shown of a name, in bytes: instances of generic functions have some of kilobytes.
const longName = 160

// longText bounds a sentence, in bytes: a fact has some hundred.
const longText = 8 << 10

// oneLine is a text without line ends and control characters, and without runs of spaces.
func oneLine(text string) string {
	if len(text) > longText {
		text = strings.ToValidUTF8(text[:longText], "") + "…"
	}
	return strings.Join(strings.Fields(plain.Text(text)), " ")
}

// bounded cuts a name in its middle: it ends with what distinguishes it.
func bounded(name string) string {
	if len(name) <= longName {
		return name
	}
	head, tail := longName/2, len(name)-longName/2
	for head > 0 && !utf8.RuneStart(name[head]) {
		head--
	}
	for tail < len(name) && !utf8.RuneStart(name[tail]) {
		tail++
	}
	return name[:head] + "…" + name[tail:]
}

// span is a name as a code span, whose fence is longer than any in it.
func span(name string) string {
	name = bounded(oneLine(name))
	if name == "" {
		return ""
	}
	fence := strings.Repeat("`", render.LongestRun(name, '`')+1)
	if name[0] == '`' || name[len(name)-1] == '`' {
		name = " " + name + " "
	}
	return fence + name + fence
}

// fenced is lines as a code block, whose fence is longer than any in them.
func fenced(lang string, lines []string) string {
	longest := 2
	for _, line := range lines {
		longest = max(longest, render.LongestRun(line, '`'))
	}
	fence := strings.Repeat("`", longest+1)
	return fence + lang + "\n" + strings.Join(lines, "\n") + "\n" + fence + "\n"
}

// sourceLine is a line of source without what a terminal or a reader of Markdown obeys; tabs stay.
func sourceLine(line string) string {
	parts := strings.Split(line, "\t")
	for i := range parts {
		parts[i] = plain.Text(parts[i])
	}
	return strings.TrimRight(strings.Join(parts, "\t"), " \t")
}

// A quoter writes sentences of facts, in which names of the evidence stand.
type quoter struct {
	// spaced are names with spaces in them, the longest first. No compiler makes such: they are quoted as a whole, and
	// cannot read as a sentence of ours.
	spaced []string
}

func newQuoter(names []string) quoter {
	var q quoter
	for _, name := range names {
		if name = oneLine(name); strings.Contains(name, " ") {
			q.spaced = append(q.spaced, name)
		}
	}
	slices.SortFunc(q.spaced, func(a, b string) int { return len(b) - len(a) })
	q.spaced = slices.Compact(q.spaced)
	return q
}

// prose is a sentence as Markdown: what could be markup becomes a code span. Other escapes would cost a token for each
// bracket of a method's name.
func (q quoter) prose(text string) string {
	text = oneLine(text)
	for _, name := range q.spaced {
		if before, after, found := strings.Cut(text, name); found {
			return joinNonEmpty(q.prose(before), span(name), q.prose(after))
		}
	}
	words := inBackquotes(strings.Fields(text))
	for i, word := range words {
		words[i] = quotedWord(word, i == 0)
	}
	return strings.Join(words, " ")
}

// inBackquotes makes one word of those of a command that a sentence quotes: "`nice -n 19 go build`". What holds other
// backquotes is none.
func inBackquotes(words []string) (out []string) {
	for len(words) > 0 {
		n := 1
		if head := strings.TrimLeft(words[0], "("); strings.HasPrefix(head, "`") && strings.Count(head, "`") == 1 {
			end := slices.IndexFunc(words[1:], func(w string) bool { return strings.Contains(w, "`") })
			if end >= 0 && strings.HasSuffix(strings.TrimRight(words[end+1], ".,;:!?)"), "`") &&
				strings.Count(words[end+1], "`") == 1 {
				n = end + 2
			}
		}
		out, words = append(out, strings.Join(words[:n], " ")), words[n:]
	}
	return out
}

// label is the name of a number or of a resource: some words of ours, or a name of the evidence.
func (q quoter) label(text string) string {
	const longest = 40
	if len(text) > longest {
		return span(text)
	}
	return q.prose(text)
}

func joinNonEmpty(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " ")
}

// emphasis is an underscore that is not inside a word.
var emphasis = regexp.MustCompile(`(^|[^\pL\pN_])_|_($|[^\pL\pN_])`)

// quotedWord puts a word into a code span if Markdown could take it for something else. What punctuates the sentence
// stays outside.
func quotedWord(word string, first bool) string {
	risky := strings.ContainsAny(word, "`*<>[]|\\~@&") || emphasis.MatchString(word) ||
		strings.Contains(word, "://") || strings.Contains(word, "www.") ||
		first && strings.ContainsAny(word[:1], "#+-=.0123456789") && isMarker(word)
	if !risky {
		return word
	}
	end := len(strings.TrimRight(word, ".,;:!?"))
	start, end := inParentheses(word, end)
	if name := word[start:end]; len(name) > 2 && name[0] == '`' && strings.IndexByte(name[1:], '`') == len(name)-2 {
		return word[:start] + span(name[1:len(name)-1]) + word[end:] // it is quoted already
	}
	return word[:start] + span(word[start:end]) + word[end:]
}

// inParentheses is what of the beginning of a word is no parenthesis of the sentence: "(main.(*T).run)" has two, and
// "(*T).run" none.
func inParentheses(word string, length int) (start, end int) {
	end = length
	open, closed := strings.Count(word[:end], "("), strings.Count(word[:end], ")")
	switch {
	case open > closed && word[0] == '(':
		start++
	case closed > open && word[end-1] == ')':
		end--
	case open > 0 && word[0] == '(' && word[end-1] == ')' && balanced(word[1:end-1]):
		start, end = 1, end-1
	}
	if start >= end {
		return 0, length
	}
	return start, end
}

// isMarker reports whether a word at the beginning of a line makes a list or a heading of it.
func isMarker(word string) bool {
	if strings.Trim(word, "#+-=") == "" {
		return true
	}
	digits := strings.TrimRightFunc(word, func(r rune) bool { return !unicode.IsDigit(r) })
	rest := word[len(digits):]
	return digits != "" && strings.Trim(digits, "0123456789") == "" && (rest == "." || rest == ")")
}

// balanced reports whether every bracket of a text is closed in it.
func balanced(text string) bool {
	depth := 0
	for _, r := range text {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth < 0 {
			return false
		}
	}
	return depth == 0
}
