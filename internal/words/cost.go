package words

import (
	"regexp"
	"slices"

	"github.com/gocasebook/casebook/casefile"
)

// figure is one with its sign of per cent or its unit of memory, as findings write them.
var figure = regexp.MustCompile(`[0-9]+(?:[.,][0-9]+)*(?: ?%| [KMGT]?i?B\b)?`)

// cost returns what a finding costs today; "" if its summary says so already: with the same numbers, whatever the
// words.
func cost(f casefile.Finding) string {
	known := figure.FindAllString(f.Summary, -1)
	fresh := func(n string) bool { return !slices.Contains(known, n) }
	if all := figure.FindAllString(f.Impact.Text, -1); len(all) > 0 && !slices.ContainsFunc(all, fresh) {
		return ""
	}
	return f.Impact.Text
}
