package prove

import "github.com/gocasebook/casebook/app/load"

// WindowRound returns a round made of a window of load and the process figures over the same time. Figures that need
// data that is missing are left out: latencies without an answer, CPU per request without a good one. usage may be nil.
// The caller adds what else it knows: GCCPU, GCRate, GCCycle, GCPause, HeapObjects, Stream, WriteRate, WrittenPer, Throttled.
func WindowRound(w load.Window, usage *Usage) Round {
	r := latencies(w.Counts)
	if w.Seconds > 0 {
		r[Throughput] = w.Throughput()
	}
	if w.OK+w.Errors.Total() > 0 {
		r[ErrorShare] = w.ErrorShare()
	}
	if usage == nil {
		return r
	}
	r[RSS] = float64(usage.RSS)
	if usage.Seconds > 0 {
		r[CPU] = usage.CPUSeconds / usage.Seconds
	}
	if w.OK > 0 {
		r[CPUPerRequest] = usage.CPUSeconds / float64(w.OK)
	}
	return r
}

// MinAbove is how many requests must lie above a latency quantile of a block: the n-th largest of a few is chance.
const MinAbove = 5

// BlockQuantiles returns the latency quantiles that have MinAbove of the requests above them.
func BlockQuantiles(c load.Counts) Round {
	r := Round{}
	for _, q := range LatencyQuantiles() {
		if float64(c.Latency.Count())*(1-q.Q) >= MinAbove {
			r[q.Name] = c.Latency.Quantile(q.Q).Seconds()
		}
	}
	return r
}

// WholeRun returns the latency quantiles over a whole run, for Side.Whole: of a load.Result's Counts, or of load.Sum of
// the windows that became rounds.
func WholeRun(c load.Counts) Round { return latencies(c) }

func latencies(c load.Counts) Round {
	if c.Latency.Count() == 0 {
		return Round{}
	}
	return Round{
		P50:  c.Latency.P50().Seconds(),
		P90:  c.Latency.Quantile(0.9).Seconds(),
		P99:  c.Latency.P99().Seconds(),
		P999: c.Latency.P999().Seconds(),
	}
}
