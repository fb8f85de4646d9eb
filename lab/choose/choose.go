// Package choose picks from a table the services that a command of the lab was asked for by -run.
package choose

import (
	"fmt"
	"regexp"
	"slices"
)

// Named are those of all whose whole name the pattern matches; "" matches every one. None is an error.
func Named[S any](all []S, name func(S) string, pattern string) ([]S, error) {
	if pattern == "" {
		return all, nil
	}
	match, err := regexp.Compile("^(?:" + pattern + ")$")
	if err != nil {
		return nil, fmt.Errorf("-run: %w", err)
	}
	some := slices.DeleteFunc(slices.Clone(all), func(s S) bool { return !match.MatchString(name(s)) })
	if len(some) == 0 {
		return nil, fmt.Errorf("-run: no service's name matches %q as a whole", pattern)
	}
	return some, nil
}
