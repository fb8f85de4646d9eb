package play

import (
	"context"
	"fmt"
	"time"

	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/lab"
)

// A Loaded is what became of a fixed load of the cured form.
type Loaded struct {
	Rate   float64 `json:"rate"`             // requests per second that were asked for
	Times  float64 `json:"times,omitempty"`  // of the sick form's limit, where that is what the row asks for
	Kind   string  `json:"kind,omitempty"`   // of request, where it is not the row's
	P90    float64 `json:"p90"`              // seconds, from the time at which a request was due
	P97    float64 `json:"p97"`              //
	Errors float64 `json:"errors"`           // share of the requests
	Unable string  `json:"unable,omitempty"` // why it shows nothing: the load generator could not keep up
}

// loadTime is how long a fixed load lasts, after a second to get going.
const loadTime = 4 * time.Second

// playLoads loads the cured form with the row's fixed loads. Its load is paused after them.
func (p *play) playLoads(ctx context.Context) error {
	if len(p.rig.Loads) == 0 {
		return nil
	}
	p.curedForm.Pause()
	for _, l := range p.rig.Loads {
		done := Loaded{Rate: l.Rate, Times: l.Times, Kind: l.Kind}
		if l.Times > 0 {
			done.Rate = l.Times * p.result.Capacity.Sick
		}
		f, err := p.curedForm.Fixed(ctx, done.Rate, loadTime, l.Request)
		if err != nil {
			return fmt.Errorf("the cured form at %.0f req/s: %w", done.Rate, err)
		}
		done.P90, done.P97 = f.Latency.Quantile(0.90).Seconds(), f.Latency.Quantile(0.97).Seconds()
		done.Errors, done.Unable = f.ErrorShare(), f.Limited
		p.View.Say(done.text())
		p.result.Loads = append(p.result.Loads, done)
	}
	return nil
}

// text is the load in a line: "200 req/s: p90 3.1 ms, p97 4.2 ms, no errors".
func (l *Loaded) text() string {
	text := fmt.Sprintf("%.0f req/s", l.Rate)
	if l.Times > 0 {
		text += fmt.Sprintf(", %g times the sick form's limit", l.Times)
	}
	if l.Kind != "" {
		text += " of " + l.Kind
	}
	text += fmt.Sprintf(": p90 %s, p97 %s, ", number.Seconds(l.P90), number.Seconds(l.P97))
	if l.Errors == 0 {
		text += "no errors"
	} else {
		text += number.Share(l.Errors) + " errors"
	}
	if l.Unable != "" {
		text += " (" + l.Unable + ")"
	}
	return text
}

// checkLoads wants a limit where loads are given in times of it.
func checkLoads(d lab.Disease, loads []lab.Load) error {
	for _, l := range loads {
		if l.Times > 0 && d.Limit == "" {
			return fmt.Errorf("a load of %g times the limit of %s, which has none", l.Times, d.Name)
		}
		if (l.Times > 0) == (l.Rate > 0) {
			return fmt.Errorf("%s: a load has a rate of %g and %g times the limit: want one of them", d.Name, l.Rate,
				l.Times)
		}
	}
	return nil
}
