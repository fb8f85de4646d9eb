package diagnose

import "github.com/gocasebook/casebook/casefile"

// withinCost keeps a gain within the cost. What a remedy saves beside the cost that shows (a scheduler, caches, the collector)
// has been measured in the lab for some kinds, up to twice the cost; but who reads "takes 44 %, gives back 53 %" believes neither.
func withinCost(i casefile.Impact) casefile.Impact {
	if i.Gain.High <= i.Share {
		return i
	}
	i.Gain.Low, i.Gain.High = min(i.Gain.Low, i.Share), i.Share
	i.Gain.Arithmetic += "; the gain cannot exceed the cost"
	return i
}
