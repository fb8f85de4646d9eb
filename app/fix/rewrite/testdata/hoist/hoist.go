// Package hoist matches.
package hoist

import "regexp"

const digits = `^\d+$`

func isNumber(s string) bool {
	ok, _ := regexp.MatchString(digits, s)
	return ok
}

func (t text) isName() bool {
	ok, _ := regexp.Match("^[A-Z]", t)
	return ok
}

type text []byte

func checked(s string) (bool, error) { return regexp.MatchString(digits, s) }

func local(s string) bool {
	const pattern = "^x"
	ok, _ := regexp.MatchString(pattern, s)
	return ok
}

func wrong(s string) bool {
	ok, _ := regexp.MatchString("(", s)
	return ok
}

func given(pattern, s string) bool {
	ok, _ := regexp.MatchString(pattern, s)
	return ok
}
