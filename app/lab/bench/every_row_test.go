package bench

import (
	"path/filepath"
	"testing"

	"github.com/gocasebook/casebook/app/lab"
	"github.com/gocasebook/casebook/app/lab/stage/stagetest"
	"github.com/gocasebook/casebook/app/prove"
)

// Every service runs with what it depends on, in every sick form and its cure, and does its work for some seconds.
func TestEveryRow(t *testing.T) {
	cfg := config(t, &stagetest.View{TB: t})
	for _, row := range Rows(lab.Services()) {
		t.Run(row.Name(), func(t *testing.T) {
			p := &play{Config: cfg, row: row, result: newResult(row)}
			needs := &needs{binary: cfg.Binary, dir: filepath.Join(cfg.Dir, p.folder("needs"))}
			defer func() {
				if err := needs.stop(); err != nil {
					t.Error(err)
				}
			}()
			var err error
			if p.rig, err = row.Disease.Rig(t.Context(), needs); err != nil {
				t.Fatal(err)
			}
			p.rig.Busy, p.rig.Rate = 0, min(p.rig.Rate, 60) // the machine is shared, and so is the time
			d := row.Disease
			works(t, p, d.Sick, d.SickArgs, d.SickEnv)
			works(t, p, d.Cure, d.CuredArgs, d.CuredEnv)
		})
	}
	stagetest.NoChildren(t, cfg.Binary)
}

// works runs a form.
func works(t *testing.T, p *play, label string, args, env []string) {
	t.Helper()
	s, err := p.start(t.Context(), label, args, env)
	if err != nil {
		t.Fatalf("%s: %v", label, err)
	}
	defer func() {
		if err := s.Stop(); err != nil {
			t.Errorf("%s: %v", label, err)
		}
	}()
	side, err := s.Measure(t.Context(), 3, nil)
	if err != nil {
		t.Fatalf("%s: %v", label, err)
	}
	done := 0.0
	for _, r := range side.Rounds {
		done += r[prove.Throughput]
		if r[prove.ErrorShare] > 0.5 {
			t.Errorf("%s: errors %.0f %%", label, 100*r[prove.ErrorShare])
		}
	}
	if done == 0 {
		t.Errorf("%s: nothing was done in %d rounds", label, len(side.Rounds))
	}
}
