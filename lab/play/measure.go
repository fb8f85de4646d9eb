package play

import (
	"context"
	"fmt"
	"time"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/lab/stage"
	"github.com/gocasebook/casebook/vitals"
)

// inTurns measures both forms, each loaded while the other is idle. The cured one is left under load.
func (p *play) inTurns(ctx context.Context) (casefile.Proof, error) {
	p.sickForm.Pause()
	if err := p.startCured(ctx); err != nil {
		return casefile.Proof{}, err
	}
	n := max(p.passes(p.window()), p.rig.Passes)
	turns, err := stage.Turns(ctx, p.sickForm, p.curedForm, n, func(i int, r prove.Round) { p.progress(i, 3*n, r) })
	if err != nil {
		return casefile.Proof{}, fmt.Errorf("measuring in turns: %w", err)
	}
	variants := [...]casefile.Variant{p.sickForm.Variant(), p.curedForm.Variant()}
	if err := p.end(&p.sickForm); err != nil {
		return casefile.Proof{}, err
	}
	p.curedForm.Resume(ctx)
	proof, err := prove.JudgeTurns(turns, "each with a turn of the cured form between two of the sick one", p.options())
	proof.Before, proof.After = variants[0], variants[1]
	return proof, err
}

// oneAfterTheOther measures the sick form, ends it, and measures the cured one.
func (p *play) oneAfterTheOther(ctx context.Context) (casefile.Proof, error) {
	n := p.roundsEach()
	told := func(i int, r prove.Round) { p.progress(i, n, r) }
	before, err := p.sickForm.Measure(ctx, n, told)
	if err == nil {
		err = p.end(&p.sickForm)
	}
	if err != nil {
		return casefile.Proof{}, fmt.Errorf("the sick form: %w", err)
	}
	if err := p.startCured(ctx); err != nil {
		return casefile.Proof{}, err
	}
	after, err := p.curedForm.Measure(ctx, n, told)
	if err != nil {
		return casefile.Proof{}, fmt.Errorf("the cured form: %w", err)
	}
	return prove.Compare(before, after, p.options())
}

// roundsEach is how many rounds each form has when it is measured for itself.
func (p *play) roundsEach() int { return max(p.rounds(), p.rig.Passes) }

// window is how long the stage's windows are.
func (p *play) window() time.Duration {
	switch {
	case p.rig.Window > 0:
		return p.rig.Window
	case p.rig.Request == nil:
		return round
	}
	return window
}

// progress shows the i-th of n rounds.
func (p *play) progress(i, n int, r prove.Round) {
	text := fmt.Sprintf("%2d/%d  cpu %s  errors %s", i+1, n, vitals.Cores.Format(r[prove.CPU]),
		vitals.Share.Format(r[prove.ErrorShare]))
	for _, name := range [...]string{prove.P50, prove.P99} {
		if v, ok := r[name]; ok {
			text += "  " + name + " " + vitals.Seconds.Format(v)
		}
	}
	p.View.Progress(text)
}

func (p *play) options() prove.Options {
	return prove.Options{Key: keyOf(p.row.Disease), Taken: time.Now().UTC(), Machine: prove.Machine(),
		Load: p.loadText()}
}

func (p *play) loadText() string {
	if p.rig.Request == nil {
		from := ""
		if p.rig.From != "" {
			from = " from " + p.rig.From
		}
		return fmt.Sprintf("the service's own work%s, one form after the other, %d rounds of %s each", from,
			p.roundsEach(), round)
	}
	if p.rig.Callers > 0 {
		return fmt.Sprintf("%.0f req/s, open model up to %d at a time, in turns of %s", p.rig.Rate, p.rig.Callers,
			stage.TurnTime(p.window()))
	}
	return fmt.Sprintf("%.0f req/s, open model, in turns of %s", p.rig.Rate, stage.TurnTime(p.window()))
}

// attach puts the proof into the result and the case.
func (p *play) attach(proof casefile.Proof) error {
	prove.Attribute(&proof, p.sick.Case.Findings)
	p.result.Proof = &proof
	return p.sick.Update(func(c *casefile.Case) { c.Proof = &proof })
}
