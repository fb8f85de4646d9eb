package demo

import (
	"context"
	"fmt"
	"time"

	"github.com/gocasebook/casebook/app/lab/stage"
	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// settleTime passes between a full cache and the measurement of the cured gateway, so that the garbage of its warm-up
// is gone. The sick one has had the time of its case.
const settleTime = 6 * time.Second

// measure makes rounds and shows each.
func (d *demo) measure(ctx context.Context, s *stage.Stage) (prove.Side, error) {
	n := int(d.Measure / round)
	return s.Measure(ctx, n, func(i int, r prove.Round) {
		d.View.Progress(fmt.Sprintf("%2d/%d  p50 %s  p99 %s  errors %s  cpu %s", i+1, n,
			vitals.Seconds.Format(r[prove.P50]), vitals.Seconds.Format(r[prove.P99]),
			vitals.Share.Format(r[prove.ErrorShare]), vitals.Cores.Format(r[prove.CPU])))
	})
}

// prove compares both sides, attaches the verdict to the case and shows it.
func (d *demo) prove(before, after prove.Side) error {
	p, err := prove.Compare(before, after, prove.Options{
		Key: prove.GCCPU, Taken: time.Now().UTC(), Machine: prove.Machine(),
		Load: fmt.Sprintf("%.0f req/s, open model, %s each side in rounds of %s; GOMEMLIMIT=%s", d.Rate, d.Measure, round, d.Memory),
	})
	if err != nil {
		return err
	}
	p.Promise = prove.Promised(d.result.Folder.Case.Findings, &p)
	if err := d.result.Folder.Update(func(c *casefile.Case) { c.Proof = &p }); err != nil {
		return err
	}
	d.View.Proof(p)
	return nil
}
