package diagnose

import "github.com/gocasebook/casebook/casefile"

// withinCost keeps a gain within the cost. For some kinds, the lab has measured that a remedy also saves hidden costs
// (the scheduler, caches, the collector), up to twice the visible cost. But nobody believes "takes 44 %, saves 53 %".
func withinCost(i casefile.Impact) casefile.Impact {
	if i.Gain.High <= i.Share {
		return i
	}
	i.Gain.Low, i.Gain.High = min(i.Gain.Low, i.Share), i.Share
	i.Gain.Arithmetic += "; the gain cannot exceed the cost"
	return i
}
