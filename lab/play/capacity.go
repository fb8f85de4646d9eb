package play

import (
	"context"
	"errors"
	"fmt"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/lab"
	"github.com/gocasebook/casebook/lab/stage"
)

// A Capacity is the highest rate at which each form meets an objective.
type Capacity struct {
	Objective string  `json:"objective"` // "p90 < 100ms, errors < 1%"
	Sick      float64 `json:"sick"`      // requests per second; 0 if it met it at no rate
	Cured     float64 `json:"cured"`
}

// Below is what is found of the sick form while it keeps up.
type Below struct {
	Rate     float64   `json:"rate"` // requests per second
	Findings []Finding `json:"findings"`
}

// limitOf searches a form's limit. Its load is paused before and after.
func (p *play) limitOf(ctx context.Context, s *stage.Stage) (float64, error) {
	p.View.Say("searching the highest rate at which " + p.row.Disease.Limit)
	r, err := s.Limit(ctx, p.row.Disease.Limit)
	if err != nil {
		return 0, fmt.Errorf("searching the limit of its rate: %w", err)
	}
	p.View.Say(fmt.Sprintf("%.0f req/s", r.Best))
	return r.Best, nil
}

// sickLimit searches the sick form's limit, takes a case below it where the disease asks for one, and leaves the form
// under the row's load.
func (p *play) sickLimit(ctx context.Context) (err error) {
	d := p.row.Disease
	if d.Limit == "" {
		return nil
	}
	p.sickForm.Pause()
	p.result.Capacity = &Capacity{Objective: d.Limit}
	if p.result.Capacity.Sick, err = p.limitOf(ctx, p.sickForm); err != nil {
		return err
	}
	if p.result.Capacity.Sick == 0 {
		return errors.New("it meets " + d.Limit + " at no rate: there is nothing below its limit, nor above it")
	}
	if err := p.takeBelow(ctx); err != nil {
		return err
	}
	if d.Over > 0 {
		p.rig.Rate = d.Over * p.result.Capacity.Sick
		p.View.Say(fmt.Sprintf("the row's load is %.0f req/s", p.rig.Rate))
	}
	p.sickForm.ResumeAt(ctx, p.rig.Rate)
	return nil
}

// takeBelow takes the sick form's case below its limit. Its load is paused before and after.
func (p *play) takeBelow(ctx context.Context) error {
	d := p.row.Disease
	if d.Below == 0 {
		return nil
	}
	p.result.Below = &Below{Rate: d.Below * p.result.Capacity.Sick}
	p.sickForm.ResumeAt(ctx, p.result.Below.Rate)
	if err := p.sickForm.Settle(ctx, settleTime); err != nil {
		return err
	}
	folder, _, err := p.takeCase(ctx, p.sickForm, p.folder("below"), glance)
	if err != nil {
		return err
	}
	p.below = folder.Case.Findings
	p.result.Below.Findings = notable(p.below)
	p.View.Say(fmt.Sprintf("at %.0f req/s: %s", p.result.Below.Rate, foundText(p.result.Below.Findings)))
	p.sickForm.Pause()
	return nil
}

// curedLimit searches the cured form's limit, and leaves it under load.
func (p *play) curedLimit(ctx context.Context) (err error) {
	if p.result.Capacity == nil {
		return nil
	}
	p.curedForm.Pause()
	if p.result.Capacity.Cured, err = p.limitOf(ctx, p.curedForm); err != nil {
		return fmt.Errorf("the cured form: %w", err)
	}
	p.curedForm.Resume(ctx)
	return p.curedForm.Settle(ctx, settleTime)
}

// judgeCapacity wants more of the cured form, and the finding below the limit as well.
func (r *Result) judgeCapacity(w lab.Want, below []casefile.Finding) {
	if c := r.Capacity; c != nil && c.Cured <= c.Sick {
		r.fail("the cured form's limit, %.0f req/s, is not above the sick one's, %.0f", c.Cured, c.Sick)
	}
	if r.Below == nil || w.Needs != "" {
		return
	}
	if why := missing(w, first(below)); why != "" {
		r.fail("at %.0f req/s: %s", r.Below.Rate, why)
	}
}

// text is the limits in a line: "812 req/s sick, 1630 cured (p90 < 100ms)".
func (c *Capacity) text() string {
	times := ""
	if c.Sick > 0 {
		times = fmt.Sprintf(", %.1f times as many", c.Cured/c.Sick)
	}
	return fmt.Sprintf("%.0f req/s sick, %.0f cured%s, while %s", c.Sick, c.Cured, times, c.Objective)
}

func (b *Below) text() string {
	return fmt.Sprintf("%s at %.0f req/s, where it keeps up", list(b.Findings), b.Rate)
}
