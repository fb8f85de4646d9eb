package load

import (
	"fmt"
	"time"
)

// maxLagShare is how much of a latency quantile the same quantile of the lag may be. Lag is part of every latency: at a
// quarter, two of our figures may differ by a third with no difference in the target.
const maxLagShare = 0.25

// limited says why the generator itself bounded the figures of a run, and what to do about it; "" when it did not.
func limited(r *Result) string {
	if n := r.Errors.Generator; n > 0 {
		return fmt.Sprintf("%d requests failed on the generator's side (%s): raise the limit of open files, or lower the rate",
			n, r.FirstErrors[string(classGenerator)])
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
			return fmt.Sprintf("requests left %v late (%s) against a %s latency of %v: give the generator more CPU, or lower the rate",
				lag.Round(10*time.Microsecond), q.name, q.name, latency.Round(10*time.Microsecond))
		}
	}
	return ""
}
