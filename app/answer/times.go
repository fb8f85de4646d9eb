package answer

import (
	"regexp"
	"strings"

	"github.com/gocasebook/casebook/vitals"
)

// taking is how a text says how long many things took: one number for all of them is measured, and no setting.
var taking = regexp.MustCompile(`(?i)(\d[\d,]*(?:\.\d+)?) ?(µs|us|ms|s|sec|seconds|min|minutes)\b` +
	`(?: each)? (?:on average|at the median|in the mean|at p\d\d)|` +
	`\b(?:on average|the longest|longest|mean|median|average|p\d\d)(?: [^\s\d]+){0,3} ` +
	`(\d[\d,]*(?:\.\d+)?) ?(µs|us|ms|s|sec|seconds|min|minutes)\b|` +
	`\b(?:half|most|all|\d+ ?(?:%|per ?cent)) of (?:the |all )?(?:\w+ ){1,3}` +
	`(?:more than |over |at least |about |some |longer than |up to |less than )*` +
	`(\d[\d,]*(?:\.\d+)?) ?(µs|us|ms|s|sec|seconds|min|minutes)\b`)

// times checks the durations of a part of a text that are said to be measured.
func (c *check) times(text string) {
	for _, m := range taking.FindAllStringSubmatch(text, 4) {
		number, unitSaid := m[1]+m[3]+m[5], m[2]+m[4]+m[6]
		v, ok := plainNumber(number)
		unit, factor, known := unitOf(unitSaid)
		if !ok || !known || unit != vitals.Seconds {
			continue
		}
		q := quote{value: v * factor, unit: unit, written: v, factor: factor}
		if !c.anywhere(q, "") {
			c.nowhere(q, strings.TrimSpace(number+" "+unitSaid), c.here())
		}
	}
}
