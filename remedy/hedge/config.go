package hedge

import (
	"fmt"
	"time"
)

// Config configures a Policy. Its zero value has every default.
type Config struct {
	// Quantile of the latency of first attempts after which a call is late: 0.5 to 0.999, default 0.95 as in The Tail
	// at Scale. By definition the share 1 - Quantile of all calls becomes late, so a Budget below that share goes to
	// some of them only.
	Quantile float64
	// MinDelay is the shortest delay before a hedge, default 1 ms.
	MinDelay time.Duration
	// MinSamples is how many calls of a kind must have been measured before it is hedged: 20 or more, default 100,
	// of which five lie above the p95.
	MinSamples int
	// HalfLife is the time after which a measured latency counts half, default 5 s. A p95 that rises tenfold is
	// followed within about a tenth of it, one that falls within four or five half-lives: the error is on the side of
	// fewer hedges.
	HalfLife time.Duration
	// Budget is the number of hedges per call, above 0 and at most 1, default 0.05. All kinds share it.
	Budget float64
	// MaxInFlight is how many hedges may run at once, default 64. By Little's law that is enough for 640 hedges a
	// second of 100 ms each.
	MaxInFlight int
	// MaxKeys bounds the kinds of calls that are measured, default 1000, each about 2.5 kB. One that has not been used
	// for long makes room for a new one.
	MaxKeys int
	// Detach is for functions that do not return soon after their context ends. Both attempts then run in goroutines of
	// their own, Do returns without the slower one, and the function must not use what the caller changes afterwards.
	// Policy.Wait waits for those that still run. A hedge counts as in flight until it has returned.
	Detach bool
}

// withDefaults fills in zero fields, and names the field at fault.
func (c Config) withDefaults() (Config, error) {
	fill(&c.Quantile, 0.95)
	fill(&c.MinDelay, time.Millisecond)
	fill(&c.MinSamples, 100)
	fill(&c.HalfLife, 5*time.Second)
	fill(&c.Budget, 0.05)
	fill(&c.MaxInFlight, 64)
	fill(&c.MaxKeys, 1000)
	for _, f := range []struct {
		name, want string
		ok         bool
		got        any
	}{
		{"Quantile", "0.5 to 0.999", c.Quantile >= 0.5 && c.Quantile <= 0.999, c.Quantile},
		{"MinDelay", "above 0", c.MinDelay > 0, c.MinDelay},
		{"MinSamples", "20 to 1000000", c.MinSamples >= 20 && c.MinSamples <= 1_000_000, c.MinSamples},
		{"HalfLife", "100ms or more", c.HalfLife >= 100*time.Millisecond, c.HalfLife},
		{"Budget", "above 0.00001, at most 1", c.Budget >= 0.00001 && c.Budget <= 1, c.Budget},
		{"MaxInFlight", "1 or more", c.MaxInFlight >= 1, c.MaxInFlight},
		{"MaxKeys", "1 or more", c.MaxKeys >= 1, c.MaxKeys},
	} {
		if !f.ok {
			return c, fmt.Errorf("hedge: Config.%s is %v; it must be %s, or 0 for the default", f.name, f.got, f.want)
		}
	}
	return c, nil
}

func fill[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}
