package bench

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/lab"
	"github.com/gocasebook/casebook/app/lab/stage"
	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// Bounds of a row's parts.
const (
	readyTime  = time.Minute     // until a form is warm
	settleTime = 2 * time.Second // from there to the cured form's measurement; the sick one has had the time of its case
	rowTime    = 5 * time.Minute // all of a row: what hangs must not hang the lab

	unseenPatience = 10 * time.Second
)

// A play is a row under way.
type play struct {
	Config
	row    Row
	place  string // "3/19 "
	rig    lab.Rig
	result *Result
	sick   *casefile.Folder // the sick form's case
}

// run plays the row; what becomes of it is in the result, whatever happens.
func (p *play) run(parent context.Context) {
	began := time.Now()
	ctx, cancel := context.WithTimeoutCause(parent, rowTime, fmt.Errorf("the row took more than %v", rowTime))
	defer cancel()
	err := p.play(ctx)
	if ctx.Err() != nil {
		err = context.Cause(ctx) // whatever failed then failed because of it
	}
	if parent.Err() != nil {
		err = errInterrupted
	}
	p.result.Seconds = time.Since(began).Seconds()
	var found []casefile.Finding
	if p.sick != nil {
		found = p.sick.Case.Findings
	}
	p.result.keep(p.row.Disease, found)
	if err != nil {
		p.result.Error = err.Error()
		return
	}
	p.result.judge(p.row.Disease, found)
}

func (p *play) play(ctx context.Context) (err error) {
	needs := &needs{binary: p.Binary, dir: filepath.Join(p.Dir, p.folder("needs"))}
	defer func() { err = errors.Join(err, needs.stop()) }()
	p.View.Step(p.place + p.row.Name() + ": " + p.row.Disease.Sick)
	if p.rig, err = p.row.Disease.Rig(ctx, needs); err != nil {
		return fmt.Errorf("starting what %s needs: %w", p.row.Service.Name, err)
	}
	before, err := p.playSick(ctx)
	if err != nil {
		return fmt.Errorf("the sick form: %w", err)
	}
	p.View.Step(p.place + p.row.Name() + ", cured: " + p.row.Disease.Cure)
	after, err := p.playCured(ctx)
	if err != nil {
		return fmt.Errorf("the cured form: %w", err)
	}
	return p.compare(before, after)
}

// folder is the name of a folder of this row in Config.Dir. Each form has its own: the ledger of a watch's budget and the cool-downs
// of its rules are kept beside its cases.
func (p *play) folder(form string) string {
	return strings.ReplaceAll(p.row.Name(), "/", "-") + "-" + form
}

// start starts a form under its load and waits until it is ready.
func (p *play) start(ctx context.Context, label string, args, env []string) (*stage.Stage, error) {
	s, err := stage.Start(ctx, stage.Config{
		Name: p.row.Service.Name, Label: label,
		Args:    slices.Concat([]string{p.Binary, "lab", p.row.Service.Name}, p.rig.Args, args),
		Env:     slices.Concat(p.rig.Env, env),
		Request: p.rig.Request, Rate: p.rig.Rate, Round: round,
	})
	if err != nil {
		return nil, err
	}
	p.View.Say(p.row.Service.Name + " runs")
	if p.rig.Ready == "" {
		return s, nil
	}
	if err := s.Await(ctx, p.rig.Ready, readyTime, nil); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

func (p *play) playSick(ctx context.Context) (side prove.Side, err error) {
	d := p.row.Disease
	s, err := p.start(ctx, d.Sick, d.SickArgs, d.SickEnv)
	if err != nil {
		return side, err
	}
	defer func() { err = errors.Join(err, s.Stop()) }()
	var opened Opened
	if p.sick, opened, err = p.takeCase(ctx, s, p.folder("sick"), p.patience()); err != nil {
		return side, err
	}
	p.result.Opened, p.result.Findings = &opened, notable(p.sick.Case.Findings)
	p.View.Say(foundText(p.result.Findings))
	return p.measure(ctx, s)
}

// patience is how long a rule has: of a disease that none can see, only long enough for the evidence of a case.
func (p *play) patience() time.Duration {
	if p.row.Disease.Want.Needs != "" {
		return min(p.Patience, unseenPatience)
	}
	return p.Patience
}

func (p *play) playCured(ctx context.Context) (side prove.Side, err error) {
	d := p.row.Disease
	s, err := p.start(ctx, d.Cure, d.CuredArgs, d.CuredEnv)
	if err != nil {
		return side, err
	}
	defer func() { err = errors.Join(err, s.Stop()) }()
	if err := s.Settle(ctx, settleTime); err != nil {
		return side, err
	}
	if side, err = p.measure(ctx, s); err != nil {
		return side, err
	}
	folder, _, err := p.takeCase(ctx, s, p.folder("cured"), glance)
	if err != nil {
		return side, err
	}
	p.result.Cured = notable(folder.Case.Findings)
	p.View.Say(foundText(p.result.Cured))
	return side, nil
}

// measure makes the rounds of one form.
func (p *play) measure(ctx context.Context, s *stage.Stage) (prove.Side, error) {
	n := int(p.Measure / round)
	return s.Measure(ctx, n, func(i int, r prove.Round) {
		text := fmt.Sprintf("%2d/%d  cpu %s  errors %s", i+1, n, vitals.Cores.Format(r[prove.CPU]), vitals.Share.Format(r[prove.ErrorShare]))
		if p.rig.Request != nil {
			text += fmt.Sprintf("  p50 %s  p99 %s", vitals.Seconds.Format(r[prove.P50]), vitals.Seconds.Format(r[prove.P99]))
		}
		p.View.Progress(text)
	})
}

// compare makes the proof, and attaches it to the case.
func (p *play) compare(before, after prove.Side) error {
	proof, err := prove.Compare(before, after, prove.Options{
		Key: keyOf(p.row.Disease), Taken: time.Now().UTC(), Machine: prove.Machine(), Load: p.loadText(),
	})
	if err != nil {
		return err
	}
	proof.Promise = prove.Promised(p.sick.Case.Findings, &proof)
	p.result.Proof = &proof
	return p.sick.Update(func(c *casefile.Case) { c.Proof = &proof })
}

func (p *play) loadText() string {
	if p.rig.Request == nil {
		return fmt.Sprintf("the service's own work, %s each form in rounds of %s", p.Measure, round)
	}
	return fmt.Sprintf("%.0f req/s, open model, %s each form in rounds of %s", p.rig.Rate, p.Measure, round)
}
