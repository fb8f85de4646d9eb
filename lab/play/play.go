package play

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/lab"
	"github.com/gocasebook/casebook/lab/cpus"
	"github.com/gocasebook/casebook/lab/stage"
)

// Bounds of a row's parts.
const (
	readyTime = 4 * time.Minute // until a form is warm: work, which takes as long as the machine is busy
	// from there to the cured form's measurement; the sick one has had the time of its case
	settleTime = time.Second
	rowTime    = 5 * time.Minute // all of a row: what hangs must not hang the lab
	aloneTime  = time.Hour       // of a row that is played alone

	unseenPatience = 10 * time.Second
)

// A play is a row under way.
type play struct {
	Config
	row    Row
	place  string // "3/19 "
	rig    lab.Rig
	result *Result
	sick   *casefile.Folder   // the sick form's case
	below  []casefile.Finding // of the sick form below its limit

	goroutines []float64 // in the samples of the last watch

	sickForm, curedForm *stage.Stage // those that run

	all *cpus.Set // that this process may use, while it leaves some of them to the service
}

// run plays the row; what becomes of it is in the result, whatever happens.
func (p *play) run(parent context.Context) {
	began := time.Now()
	cpu, unknown := lookAtCPU()
	long := rowTime
	if p.row.Disease.Alone {
		long = aloneTime
	}
	if p.row.Disease.Fix {
		long += fixTime
	}
	ctx, cancel := context.WithTimeoutCause(parent, long, fmt.Errorf("the row took more than %v", long))
	defer cancel()
	err := p.play(ctx)
	if ctx.Err() != nil {
		err = context.Cause(ctx) // whatever failed then failed because of it
	}
	if parent.Err() != nil {
		err = errInterrupted
	}
	p.result.Seconds = time.Since(began).Seconds()
	if now, err := lookAtCPU(); err == nil && unknown == nil {
		p.result.Others = othersSince(cpu, now)
	}
	var found []casefile.Finding
	if p.sick != nil {
		found = p.sick.Case.Findings
	}
	p.result.keep(p.row.Disease, found)
	switch {
	case errors.Is(err, stage.ErrLimited):
		p.result.Unable = err.Error()
	case err != nil:
		p.result.Error = err.Error()
	default:
		p.result.judge(p.row.Disease, found, p.below)
	}
}

// play plays the row.
func (p *play) play(ctx context.Context) (err error) {
	needs := &needs{binary: p.Binary, dir: filepath.Join(p.Dir, p.folder("needs")), kafka: p.Kafka}
	defer func() { err = errors.Join(err, p.end(&p.sickForm), p.end(&p.curedForm), needs.stop(), p.together()) }()
	p.View.Step(p.place + p.row.Name() + ": " + p.row.Disease.Sick)
	if err := p.confine(); err != nil {
		return err
	}
	if p.rig, err = p.row.Disease.Rig(ctx, needs); err != nil {
		return fmt.Errorf("starting what %s needs: %w", p.row.Service.Name, err)
	}
	if p.rig.From != "" {
		p.View.Say("its work comes from " + p.rig.From)
	}
	if err := checkLoads(p.row.Disease, p.rig.Loads); err != nil {
		return err
	}
	if err := p.playSick(ctx); err != nil {
		return fmt.Errorf("the sick form: %w", err)
	}
	sick := p.goroutines
	phases, err := p.traceCycles(ctx, p.sickForm)
	if err != nil {
		return err
	}
	var proof casefile.Proof
	if p.rig.Request != nil {
		proof, err = p.inTurns(ctx)
	} else {
		proof, err = p.oneAfterTheOther(ctx)
	}
	if err != nil {
		return err
	}
	if err := p.curedLimit(ctx); err != nil {
		return err
	}
	if err := p.playCured(ctx); err != nil {
		return fmt.Errorf("the cured form: %w", err)
	}
	p.result.keepGoroutines(sick, p.goroutines)
	if err := p.keepCycles(ctx, phases); err != nil {
		return err
	}
	if err := p.playLoads(ctx); err != nil {
		return err
	}
	return p.attach(proof)
}

// confine leaves the service its own CPUs, if it has any and there are others: this process, which loads and watches
// it, and everything that it starts except the service, are confined to the others.
func (p *play) confine() error {
	n := p.row.Disease.CPUs
	if n == 0 {
		return nil
	}
	all, err := cpus.Allowed()
	if err != nil {
		return fmt.Errorf("%s needs %d CPUs for itself: %w", p.row.Service.Name, n, err)
	}
	if all.Count() <= n {
		return nil
	}
	_, rest := all.Split(n)
	p.all = &all
	return cpus.Confine(rest)
}

// together undoes apart.
func (p *play) together() error {
	if p.all == nil {
		return nil
	}
	return cpus.Confine(*p.all)
}

// folder is the name of a folder of this row in Config.Dir. Each form has its own: the ledger of a watch's budget and
// the cool-downs of its rules are kept beside its cases.
func (p *play) folder(form string) string {
	return strings.ReplaceAll(p.row.Name(), "/", "-") + "-" + form
}

// start starts a form under its load and waits until it is ready.
func (p *play) start(ctx context.Context, label string, args, env []string) (*stage.Stage, error) {
	return p.startBinary(ctx, p.Binary, label, args, env)
}

func (p *play) startBinary(ctx context.Context, binary, label string, args, env []string) (*stage.Stage, error) {
	if n := p.row.Disease.CPUs; n > 0 {
		args = slices.Concat([]string{"-cpus", strconv.Itoa(n)}, args)
	}
	s, err := stage.Start(ctx, stage.Config{
		Name: p.row.Service.Name, Label: label,
		Args: slices.Concat([]string{binary, p.row.Service.Name}, p.rig.Args, args),
		Env:  slices.Concat(p.rig.Env, env), CPUs: p.all, Quota: p.row.Disease.Quota,
		Request: p.rig.Request, Rate: p.rig.Rate, Callers: p.rig.Callers, Timeout: p.rig.Timeout, Round: p.window(),
		Metrics: p.rig.Metrics, Bytes: p.rig.Bytes,
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

// end stops a form that runs.
func (p *play) end(form **stage.Stage) error {
	s := *form
	if *form = nil; s == nil {
		return nil
	}
	return s.Stop()
}

// playSick starts the sick form and takes its case.
func (p *play) playSick(ctx context.Context) (err error) {
	d := p.row.Disease
	if p.sickForm, err = p.start(ctx, d.Sick, d.SickArgs, d.SickEnv); err != nil {
		return err
	}
	if p.rig.Busy > 0 {
		if err := p.sickForm.Scale(ctx, p.rig.Busy); err != nil {
			return err
		}
		p.rig.Rate = p.sickForm.Rate()
		p.View.Say(fmt.Sprintf("%.0f req/s would keep %g CPUs busy", p.rig.Rate, p.rig.Busy))
	}
	if err := p.sickLimit(ctx); err != nil {
		return err
	}
	var opened Opened
	if p.sick, opened, err = p.takeCase(ctx, p.sickForm, p.folder("sick"), p.patience()); err != nil {
		return err
	}
	p.result.Opened, p.result.Findings = &opened, notable(p.sick.Case.Findings)
	p.View.Say(foundText(p.result.Findings))
	return nil
}

// startCured starts the cured form.
func (p *play) startCured(ctx context.Context) (err error) {
	d := p.row.Disease
	p.View.Step(p.place + p.row.Name() + ", cured: " + d.Cure)
	binary := p.Binary
	if d.Fix {
		if binary, err = p.fixed(ctx); err != nil {
			return err
		}
	}
	if p.curedForm, err = p.startBinary(ctx, binary, d.Cure, d.CuredArgs, d.CuredEnv); err == nil {
		err = p.curedForm.Settle(ctx, settleTime)
	}
	if err != nil {
		return fmt.Errorf("the cured form: %w", err)
	}
	return nil
}

// playCured takes the case of the cured form, which runs by itself now.
func (p *play) playCured(ctx context.Context) error {
	folder, _, err := p.takeCase(ctx, p.curedForm, p.folder("cured"), glance)
	if err != nil {
		return err
	}
	p.result.Cured = notable(folder.Case.Findings)
	p.View.Say(foundText(p.result.Cured))
	return nil
}

// patience is how long a rule has: of a disease that none can see, only long enough for the evidence of a case.
func (p *play) patience() time.Duration {
	if p.row.Disease.Want.Needs != "" {
		return min(p.Patience, unseenPatience)
	}
	if p.rig.Patience > 0 {
		return p.rig.Patience
	}
	return p.Patience
}
