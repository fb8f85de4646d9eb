package load

import (
	"fmt"

	"github.com/gocasebook/casebook/internal/number"
)

// maxLagShare is how much of a latency quantile the same quantile of the lag may be. Lag is part of every latency: at a
// quarter, two of our figures may differ by a third with no difference in the target.
const maxLagShare = 0.25

// limited says why the generator itself bounded the figures of a run, and what to do about it; "" if it did not.
func limited(r *Result) string {
	if n := r.Errors.Generator; n > 0 {
		return fmt.Sprintf("%d requests failed on the generator's side (%s): raise the limit of open files (ulimit "+
			"-n) or the range of local ports, or lower the rate",
			n, r.FirstErrors[string(ClassGenerator)])
	}
	if r.Latency.Count() == 0 {
		return ""
	}
	for _, q := range []struct {
		name string
		q    float64
	}{{"p50", 0.5}, {"p99", 0.99}} {
		lag, latency := r.Lag.Quantile(q.q), r.Latency.Quantile(q.q)
		if float64(lag) > maxLagShare*float64(latency) {
			return fmt.Sprintf("requests were sent %s late (%s), compared with a %s latency of %s: %s",
				number.Duration(lag), q.name, q.name, number.Duration(latency), lateAdvice(r.CPU))
		}
	}
	if n := r.Errors.Shed; n > 0 {
		return fmt.Sprintf("%d requests were not sent, because the maximum was already in flight: the target answers "+
			"more slowly than requests come; "+
			"raise MaxInFlight if it should handle more", n)
	}
	return ""
}

// busyMachine is the share of a machine's CPU above which processes wait for it.
const busyMachine = 0.9

// lateAdvice says what to do about requests that left late.
func lateAdvice(u Usage) string {
	if u.Machine >= busyMachine && u.Seconds > 0 {
		return fmt.Sprintf("the machine's CPU was %s busy, %s with the generator; give it more CPU or a "+
			"separate machine, or lower the rate",
			number.Share(u.Machine), number.Share(u.Generator))
	}
	return "give the generator more CPU, or lower the rate"
}
