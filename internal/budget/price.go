package budget

import "time"

// mostOff bounds what a capture that was answered is charged, in times of its prediction. Predictions are right to a
// factor of three when the sizes are known; ten leaves room for sizes that had to be assumed.
const mostOff = 10

// Price is the CPU time that a capture is charged. A target that is starved or stopped answers late without working. If
// one such wait counted as work, the whole hour would be spent, with nothing captured.
//
// predicted is Predict's. waited is the time to answer beyond what the capture spans. used is the CPU time of the whole
// process meanwhile, which no capture exceeds; 0 when it is not known. A capture that was not answered may yet be
// worked on by the target, how much nobody knows: it is charged its prediction.
func Price(predicted, waited, used time.Duration, answered bool) time.Duration {
	if !answered {
		return max(min(waited, predicted), 0)
	}
	price := min(waited, mostOff*min(predicted, ceiling/mostOff))
	if used > 0 {
		price = min(price, used)
	}
	return max(price, 0)
}
