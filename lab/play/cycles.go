package play

import (
	"context"
	"fmt"
	"time"

	"github.com/gocasebook/casebook/diagnose/traces"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/lab/stage"
)

// Cycles are the collector's mark phases of a service whose caches are emptied at the beginning of each period of the
// clock: the first of each period beside the others.
type Cycles struct {
	Period float64 `json:"period"` // seconds
	Sick   Phases  `json:"sick"`
	Cured  Phases  `json:"cured"`
}

// Phases are those of one form.
type Phases struct {
	Periods int   `json:"periods"` // that were traced from their beginning to their end
	First   Phase `json:"first"`
	Other   Phase `json:"other"`
	// Marking is how long a request took in the mean that a phase overlapped for half of its time or more, and Between
	// how long another one took, in seconds; 0 where there was none.
	Marking float64 `json:"marking"`
	Between float64 `json:"between"`
}

// A Phase is the median of some mark phases.
type Phase struct {
	N         int     `json:"n"`
	Assisting float64 `json:"assisting"` // goroutines that had to mark
	Delay     float64 `json:"delay"`     // of all of them together, in seconds
}

// tracedPeriods is how many periods a form is traced for, at least.
const tracedPeriods = 8

// traceCycles traces a form under its load, where the row asks for it.
func (p *play) traceCycles(ctx context.Context, s *stage.Stage) (Phases, error) {
	if p.rig.Period == 0 {
		return Phases{}, nil
	}
	p.View.Say("its mark phases are traced")
	summary, err := s.Trace(ctx, (tracedPeriods+1)*p.rig.Period)
	if err != nil {
		return Phases{}, err
	}
	return phasesOf(summary, p.rig.Period), nil
}

// keepCycles notes those of both forms, where the row asks for it.
func (p *play) keepCycles(ctx context.Context, sick Phases) error {
	cured, err := p.traceCycles(ctx, p.curedForm)
	if err == nil && p.rig.Period > 0 {
		p.result.Cycles = &Cycles{p.rig.Period.Seconds(), sick, cured}
	}
	return err
}

// phasesOf divides the mark phases that began in whole periods.
func phasesOf(s *traces.Summary, period time.Duration) Phases {
	begins := s.Start.Truncate(period).Add(period)
	ends := s.Start.Add(s.Span).Truncate(period)
	out := Phases{Periods: max(int(ends.Sub(begins)/period), 0)}
	var first, other []traces.Cycle
	last := time.Time{}
	for _, c := range s.GC.Cycles {
		at := s.Start.Add(c.At)
		if at.Before(begins) || !at.Before(ends) {
			continue
		}
		if in := at.Truncate(period); in.Equal(last) {
			other = append(other, c)
		} else {
			last = in
			first = append(first, c)
		}
	}
	out.First, out.Other = phaseOf(first), phaseOf(other)
	for _, k := range s.Kinds {
		if k.Name == serverKind {
			out.Marking, out.Between = k.Marking.Mean().Seconds(), k.Between.Mean().Seconds()
		}
	}
	return out
}

// serverKind is what a summary calls the requests that a service answers.
const serverKind = "net/http server"

func phaseOf(all []traces.Cycle) Phase {
	if len(all) == 0 {
		return Phase{}
	}
	var assisting, delays []float64
	for _, c := range all {
		assisting, delays = append(assisting, float64(c.Assisting)), append(delays, c.Delay.Seconds())
	}
	return Phase{len(all), median(assisting), median(delays)}
}

// text is both forms in a line.
func (c *Cycles) text() string {
	return fmt.Sprintf("sick: %s; cured: %s", c.Sick.text(c.Period), c.Cured.text(c.Period))
}

func (p Phases) text(period float64) string {
	text := fmt.Sprintf("%s in %s of %s", number.Things(int64(p.First.N+p.Other.N), "mark phase"),
		number.Things(int64(p.Periods), "period"), number.Seconds(period))
	if p.First.N > 0 {
		text += ", in the first of a period " + p.First.text()
	}
	if p.Other.N > 0 {
		text += ", in the others " + p.Other.text()
	}
	if p.Marking > 0 && p.Between > 0 {
		text += fmt.Sprintf("; a request beside a phase took %s in the mean, another one %s",
			number.Seconds(p.Marking), number.Seconds(p.Between))
	}
	return text
}

func (p Phase) text() string {
	return fmt.Sprintf("%s had to mark, delayed by %s in all", number.Things(int64(p.Assisting), "goroutine"),
		number.Seconds(p.Delay))
}
