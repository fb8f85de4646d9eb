package diagnose

import "math"

// worthKnowing is the lowest score of a finding.
const worthKnowing = 25

// Caps on a score.
const (
	noCap     = 100
	capUnsure = 74 // a warning at most: the evidence cannot show that it hurts
	capNotice = 49 // a notice at most
)

// A Scale turns a measured quantity into a score through two limits that mean something: at Worth it is worth knowing
// (25), at Hurts it hurts (75); between and below them the score is linear. Above Hurts it is linear up to 100 at Top;
// without a Top it is 100 − 25·Hurts/x, which approaches 100.
type Scale struct{ Worth, Hurts, Top float64 }

// Score is the score of x, rounded down so that no limit is reached before it is.
func (s Scale) Score(x float64) int {
	var v float64
	switch {
	case !(x > 0): // also for NaN
		return 0
	case x < s.Worth:
		v = 25 * x / s.Worth
	case x < s.Hurts:
		v = 25 + 50*(x-s.Worth)/(s.Hurts-s.Worth)
	case s.Top > s.Hurts:
		v = 75 + 25*min((x-s.Hurts)/(s.Top-s.Hurts), 1)
	default:
		v = 100 - 25*s.Hurts/x
	}
	return int(v + 1e-9)
}

// Confidence is how far a share p that was estimated from n samples can be trusted: one less the half-width of its
// 95 % interval relative to p, 1 − 2·sqrt((1−p)/(p·n)), within 0 and 0.99. 1,000 samples of which 30 % are of interest
// give 0.90; 100 give 0.69.
func Confidence(p, n float64) float64 {
	if !(p > 0) || !(n > 0) {
		return 0
	}
	c := 1 - 2*math.Sqrt(max(1-p, 0)/(p*n))
	return math.Round(100*min(max(c, 0), 0.99)) / 100
}
