package demo

import (
	"context"
	"fmt"
	"time"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/lab/stage"
	"github.com/gocasebook/casebook/vitals"
)

// measure loads both gateways in turns and shows each turn.
func (d *demo) measure(ctx context.Context, sick, cured *stage.Stage, n int) (prove.Turns, error) {
	forms := [...]string{d.Sick, d.Cured, d.Sick}
	return stage.Turns(ctx, sick, cured, n, func(turn int, r prove.Round) {
		d.View.Progress(fmt.Sprintf("%2d/%d  %-7s cpu per request %s  p50 %s  errors %s", turn+1, len(forms)*n,
			forms[turn%len(forms)],
			vitals.Seconds.Format(r[prove.CPUPerRequest]), vitals.Seconds.Format(r[prove.P50]),
			vitals.Share.Format(r[prove.ErrorShare])))
	})
}

// prove judges the turns, attaches the verdict to the case, as one about the treated finding, and shows it. Its key is
// what the findings of the sick cache promise: CPU.
func (d *demo) prove(turns prove.Turns, sick, cured *stage.Stage, treated *casefile.Treated) error {
	p, err := prove.JudgeTurns(turns, "each with a turn of the cured gateway between two of the sick one",
		prove.Options{
			Key: prove.CPUPerRequest, Taken: time.Now().UTC(), Machine: prove.Machine(),
			Load: fmt.Sprintf("%.0f req/s, open model, in turns of %s; GOMEMLIMIT=%s", d.Rate, stage.TurnTime(round),
				d.Memory),
		})
	if err != nil {
		return err
	}
	p.Before, p.After, p.Finding = sick.Variant(), cured.Variant(), treated
	prove.Attribute(&p, d.result.Folder.Case.Findings)
	if err := d.result.Folder.Update(func(c *casefile.Case) { c.Proof = &p }); err != nil {
		return err
	}
	d.View.Proof(p)
	return nil
}
