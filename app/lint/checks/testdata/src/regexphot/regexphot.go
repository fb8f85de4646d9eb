package regexphot

import (
	"regexp"
	"strings"
)

var (
	word  = regexp.MustCompile(`^[a-z]+$`)
	links = regexp.MustCompile(`https?://\S+`)
)

func isWord(s string) bool {
	return word.MatchString(s) // want `a pattern is matched at each pass`
}

func found(text string) []string {
	return links.FindAllString(text, -1) // want `look first for a text that a match must have`
}

func hidden(b []byte) []byte {
	return links.ReplaceAll(b, []byte("…")) // want `or cut it by hand`
}

func parts(s string) []string {
	return word.Split(s, -1) // want `a pattern is matched`
}

type rule struct{ re *regexp.Regexp }

func (r *rule) ok(s string) bool {
	return r.re.FindStringSubmatch(s) != nil // want `a pattern is matched`
}

// What follows is fine.

func compiled(s string) (*regexp.Regexp, error) { return regexp.Compile(s) }

func quoted(s string) string { return regexp.QuoteMeta(s) }

func shown(r *rule) string { return r.re.String() }

func initWords(s string) bool { return word.MatchString(s) }

func replaced(s string) string { return strings.ReplaceAll(s, "a", "b") }

func groups(r *rule) int { return r.re.NumSubexp() }
