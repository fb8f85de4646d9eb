// Package match decides whether a path is meant by a pattern of the configuration.
package match

import (
	"regexp"
	"strings"
)

// Any tells whether one of the patterns means the path.
func Any(patterns []string, path string) bool {
	for _, p := range patterns {
		if one(p, path) {
			return true
		}
	}
	return false
}

func one(pattern, path string) bool {
	if !strings.ContainsAny(pattern, "*{") {
		return pattern == path
	}
	return toRegexp(pattern).MatchString(path)
}

// toRegexp makes /shops/{id}/* an expression.
func toRegexp(pattern string) *regexp.Regexp {
	e := strings.NewReplacer("{id}", `[0-9a-f]{1,12}`, "*", `[^/]*`).Replace(pattern)
	return regexp.MustCompile("^" + e + "$")
}
