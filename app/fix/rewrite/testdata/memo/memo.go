// Package memo compiles.
package memo

import (
	"regexp"
	"strings"
	"time"
)

// toRegexp is lab/holdout/gatekeeper.
func toRegexp(pattern string) *regexp.Regexp {
	e := strings.ReplaceAll(pattern, "*", "[^/]*")
	return regexp.MustCompile("^" + e + "$")
}

func matches(pattern, text string) (bool, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return false, err
	}
	return re.MatchString(text), nil
}

// inZone is lab/holdout3/tours.
func inZone(t time.Time, zone string) (time.Time, error) {
	loc, err := time.LoadLocation(zone)
	if err != nil {
		return t, err
	}
	return t.In(loc), nil
}

// constant is hoisted by a check of casebook lint.
func constant(text string) bool { return regexp.MustCompile("a+").MatchString(text) }

var start = regexp.MustCompile(strings.Repeat("a", 3))

func init() { start = regexp.MustCompile(strings.Repeat("b", 3)) }
