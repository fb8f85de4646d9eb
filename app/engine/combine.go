package engine

import (
	"fmt"
	"math"
	"time"

	"github.com/google/pprof/profile"
)

// A part is one value of a profile, as an engine keeps it, and what each of its samples is multiplied by.
type part struct {
	valueType valueType
	profile   *profile.Profile // nil: the engine does not have the value, and it is 0
	factor    float64
}

// combine makes one profile of its values, so that each stack has all of them again. The order is that of parts.
func combine(parts []part, w window) (*profile.Profile, error) {
	types := make([]*profile.ValueType, len(parts))
	for i, p := range parts {
		types[i] = &profile.ValueType{Type: p.valueType.typ, Unit: p.valueType.unit}
	}
	var all []*profile.Profile
	var first valueType
	for i, p := range parts {
		if p.profile == nil || len(p.profile.Sample) == 0 {
			continue
		}
		if err := widen(&p, i, types); err != nil {
			return nil, err
		}
		if all = append(all, p.profile); len(all) == 1 {
			first = p.valueType
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	samePeriod(all, first)
	merged, err := profile.Merge(all)
	if err != nil {
		return nil, fmt.Errorf("putting the values of a profile together: %w", err)
	}
	merged.TimeNanos, merged.DurationNanos = w.from.UnixNano(), w.length().Nanoseconds()
	return merged, nil
}

// widen gives each sample of a part all values, of which it has the i-th.
func widen(p *part, i int, types []*profile.ValueType) error {
	got := p.profile
	for _, s := range got.Sample {
		if len(s.Value) != 1 {
			return fmt.Errorf("the engine answered with %d values a sample for %s; want one", len(s.Value),
				p.valueType.id)
		}
		values := make([]int64, len(types))
		values[i] = scaled(s.Value[0], p.factor)
		s.Value = values
	}
	got.SampleType, got.DefaultSampleType = types, ""
	return nil
}

// goPeriod is that of a CPU profile of Go, for engines that have forgotten it.
const goPeriod = 10 * time.Millisecond

// samePeriod gives profiles the period of the first: they were one before the engine took them apart.
func samePeriod(all []*profile.Profile, of valueType) {
	period := all[0].Period
	if period == 0 && of.per == "nanoseconds" {
		period = goPeriod.Nanoseconds()
	}
	for _, p := range all {
		p.PeriodType, p.Period = &profile.ValueType{Type: of.period, Unit: of.per}, period
	}
}

// scaled rounds, and keeps what is there: a stack with a hundredth of a sample is not none.
func scaled(v int64, factor float64) int64 {
	if v == 0 || factor == 1 {
		return v
	}
	if r := int64(math.Round(float64(v) * factor)); r != 0 {
		return r
	}
	return 1
}

// total sums the one value of a profile.
func total(p *profile.Profile) (sum float64) {
	for _, s := range p.Sample {
		for _, v := range s.Value {
			sum += float64(v)
		}
	}
	return sum
}
