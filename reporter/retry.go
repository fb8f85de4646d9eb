package reporter

import (
	"errors"
	"fmt"
	"time"
)

// A Retry says how often a report is tried and how long the pauses are: First, then twice as long each time, up to
// Max. A random part of up to a half is taken off, so that processes that failed together do not return together.
type Retry struct {
	// Tries is how often a report is tried before it is given up. Zero means DefaultTries. What a Collector has in its
	// spool is tried without end.
	Tries int
	// First is the pause after the first failure. Zero means DefaultFirst.
	First time.Duration
	// Max bounds every pause, also one that the server asks for with Retry-After. Zero means DefaultMax.
	Max time.Duration
}

// Defaults of Retry's zero fields: three tries within a quarter of a minute, unless the server asks for patience.
const (
	DefaultTries = 3
	DefaultFirst = 5 * time.Second
	DefaultMax   = 5 * time.Minute
)

func (p Retry) withDefaults() Retry {
	if p.Tries == 0 {
		p.Tries = DefaultTries
	}
	if p.Max == 0 {
		p.Max = max(DefaultMax, p.First)
	}
	if p.First == 0 {
		p.First = min(DefaultFirst, p.Max)
	}
	return p
}

func (p Retry) validate() error {
	var errs []error
	if p.Tries < 0 {
		errs = append(errs, fmt.Errorf("field Retry.Tries is %d; it must be 1 or more", p.Tries))
	}
	if p.First < 0 || p.Max < 0 || p.Max > 0 && p.First > p.Max {
		errs = append(errs,
			fmt.Errorf("field Retry has First %s and Max %s; First must be positive and no longer than Max", p.First,
				p.Max))
	}
	return errors.Join(errs...)
}

// pause is how long to wait after so many failures in a row, 1 or more. after is what the other side asked for, and
// random is from 0 to 1.
func (p Retry) pause(failures int, after time.Duration, random float64) time.Duration {
	base := p.First
	for range failures - 1 {
		if base >= p.Max/2 {
			base = p.Max
			break
		}
		base *= 2
	}
	spread := time.Duration(random * float64(base/2))
	if after > base-spread {
		return min(after+spread, p.Max)
	}
	return base - spread
}
