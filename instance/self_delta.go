package instance

import (
	"context"
	"runtime"
	"runtime/pprof"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// profileWaits takes the waits for locks and channels in the next d.
func (p *Profile) profileWaits(ctx context.Context, d time.Duration, most int) error {
	// the block profile's rate cannot be read
	recording := p.Kind == casefile.Mutex && runtime.SetMutexProfileFraction(-1) > 0
	if !recording && pprof.Lookup(p.Kind).Count() == 0 {
		return notArmed(p.Kind)
	}
	return p.profileGrowth(ctx, d, most)
}

// profileGrowth takes what a cumulative profile grows by in the next d, or until ctx ends if that is sooner; its total
// when d is 0, or when there are more than so many records: two profiles are too big then to subtract them in a
// service.
func (p *Profile) profileGrowth(ctx context.Context, d time.Duration, most int) (err error) {
	began := time.Now()
	if p.Data, err = snapshot(p.Kind); err != nil || d <= 0 {
		return err
	}
	if n := pprof.Lookup(p.Kind).Count(); n > most {
		p.note(tooBigToSubtract(n))
		return nil
	}
	subtracting := context.WithoutCancel(ctx) // an end of ctx cuts the time short, and what there is until then counts
	base, err := newBaseline(subtracting, nil, p.Data)
	if err != nil {
		return err
	}
	p.Data = nil // the baseline is enough, and d may be long
	p.span(ctx, d-time.Since(began), nil)
	if p.Data, err = snapshot(p.Kind); err != nil {
		return err
	}
	if n := pprof.Lookup(p.Kind).Count(); n > most {
		p.Seconds = 0
		p.note(tooBigToSubtract(n))
		return nil
	}
	return p.subtract(subtracting, base, time.Since(began))
}
