package regexpagain

import (
	"fmt"
	"regexp"
	"strings"
)

func glob(pattern, value string) (bool, error) {
	text := "^" + strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, ".*") + "$"
	re, err := regexp.Compile(text) // want `keep those compiled by their text`
	if err != nil {
		return false, fmt.Errorf("matching: %w", err)
	}
	return re.MatchString(value), nil
}

func anyOf(names []string, value string) bool {
	ok, _ := regexp.MatchString(strings.Join(names, "|"), value) // want `keep those compiled by their text`
	return ok
}

// What follows is fine, or regexpinfunc's.

func constant(value string) bool { return regexp.MustCompile("^a+$").MatchString(value) }

type rule struct{ pattern string }

func (r rule) matches(value string) bool {
	re := regexp.MustCompile(r.pattern)
	return re.MatchString(value)
}

func parameter(pattern, value string) bool { return regexp.MustCompile(pattern).MatchString(value) }

func compiled(pattern string) (*regexp.Regexp, error) { return regexp.Compile("^" + pattern) }

type kept struct{ re *regexp.Regexp }

func keep(pattern string) (*kept, error) {
	re, err := regexp.Compile("^" + pattern)
	if err != nil {
		return nil, err
	}
	return &kept{re}, nil
}
