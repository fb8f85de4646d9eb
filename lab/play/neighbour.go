package play

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/lab"
	"github.com/gocasebook/casebook/lab/stage"
)

// Two services on one machine disturb each other, as an article's delivery and content services did under their load
// test. Beside runs the two: the delivery service in its cured form under a load that it carries easily, alone and with
// the sick content service beside it, which takes all the CPU that it can get.

// A Besides is what a neighbour costs a service.
type Besides struct {
	Proof casefile.Proof   // before: alone; after: with the neighbour
	Case  *casefile.Folder // of the service beside its neighbour, taken by hand
}

const (
	besideService, besideNeighbour = "ads/all", "content/all"

	besideRate = 200 // requests a second, as in the service's row
	// besideBusy is how many CPUs the neighbour would use by itself: more than two have.
	besideBusy = 2.5
)

// Beside measures the service alone and beside its neighbour, and takes a case of the second.
func Beside(ctx context.Context, cfg Config, services []lab.Service) (out Besides, err error) {
	if cfg, err = cfg.withDefaults(); err != nil {
		return out, err
	}
	needs := &needs{binary: cfg.Binary, dir: filepath.Join(cfg.Dir, "beside-needs")}
	defer func() { err = errors.Join(err, needs.stop()) }()
	service, err := startCuredOf(ctx, cfg, needs, services, besideService)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, service.Stop()) }()
	neighbour, err := startSickOf(ctx, cfg, needs, services, besideNeighbour)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, neighbour.Stop()) }()
	if err := neighbour.Scale(ctx, besideBusy); err != nil {
		return out, err
	}
	if out.Proof, err = measureBeside(ctx, cfg, service, neighbour); err != nil {
		return out, err
	}
	cfg.View.Step("a case of the service beside its neighbour")
	p := &play{Config: cfg}
	out.Case, _, err = p.takeCase(ctx, service, "beside", glance+time.Second)
	return out, err
}

// startCuredOf and startSickOf start a form of a row; the first with besideRate.
func startCuredOf(ctx context.Context, cfg Config, needs *needs, services []lab.Service, row string) (*stage.Stage,
	error) {
	r, err := rowOf(services, row)
	if err != nil {
		return nil, err
	}
	return startForm(ctx, cfg, needs, form{r, r.Disease.CuredArgs, r.Disease.CuredEnv, besideRate})
}

func startSickOf(ctx context.Context, cfg Config, needs *needs, services []lab.Service, row string) (*stage.Stage,
	error) {
	r, err := rowOf(services, row)
	if err != nil {
		return nil, err
	}
	return startForm(ctx, cfg, needs, form{r, r.Disease.SickArgs, r.Disease.SickEnv, 0})
}

func rowOf(services []lab.Service, name string) (Row, error) {
	all := Rows(services)
	i := slices.IndexFunc(all, func(r Row) bool { return r.Name() == name })
	if i < 0 {
		return Row{}, fmt.Errorf("the lab has no row %s", name)
	}
	return all[i], nil
}

// A form is one of a row's, with a load; 0: the rig's.
type form struct {
	row  Row
	args []string
	env  []string
	rate float64
}

func startForm(ctx context.Context, cfg Config, needs *needs, f form) (*stage.Stage, error) {
	cfg.View.Step("starting " + f.row.Service.Name)
	rig, err := f.row.Disease.Rig(ctx, needs)
	if err != nil {
		return nil, fmt.Errorf("starting what %s needs: %w", f.row.Service.Name, err)
	}
	if f.rate > 0 {
		rig.Rate = f.rate
	}
	s, err := stage.Start(ctx, stage.Config{Name: f.row.Service.Name, Label: f.row.Service.Name,
		Args: slices.Concat([]string{cfg.Binary, f.row.Service.Name}, rig.Args, f.args), Env: slices.Concat(rig.Env, f.env),
		Request: rig.Request, Rate: rig.Rate, Callers: rig.Callers, Timeout: rig.Timeout, Round: round,
		Metrics: rig.Metrics})
	if err != nil || rig.Ready == "" {
		return s, err
	}
	if err := s.Await(ctx, rig.Ready, readyTime, nil); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

// measureBeside measures the service while its neighbour is idle, and while that is loaded.
func measureBeside(ctx context.Context, cfg Config, service, neighbour *stage.Stage) (casefile.Proof, error) {
	p := &play{Config: cfg}
	n := max(int(cfg.Measure/(2*round)), minPasses)
	side := func(label string) (prove.Side, error) {
		cfg.View.Step(label)
		s, err := service.Measure(ctx, n, func(i int, r prove.Round) { p.progress(i, n, r) })
		s.Variant.Label = label
		return s, err
	}
	neighbour.Pause()
	alone, err := side("alone")
	if err != nil {
		return casefile.Proof{}, err
	}
	neighbour.Resume(ctx)
	beside, err := side("beside " + neighbour.Name)
	if err != nil {
		return casefile.Proof{}, err
	}
	return prove.Compare(alone, beside, prove.Options{Key: prove.P99, Taken: time.Now().UTC(), Machine: prove.Machine(),
		Load: fmt.Sprintf("%d req/s, open model; %s beside it at %.0f req/s", besideRate, neighbour.Name,
			neighbour.Rate())})
}
