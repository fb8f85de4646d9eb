package play

import (
	"context"
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/lab"
	"github.com/gocasebook/casebook/lab/stage"
	"github.com/gocasebook/casebook/lab/stage/stagetest"
)

// Every service runs with its dependencies, in every sick form and its cure, and does its work. Neither the speed nor
// the amount of work under a load is checked: on a busy machine a sick form can handle no load.
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
			p.rig.Busy, p.rig.Rate = 0, 0
			if p.rig.Request == nil { // it takes all CPUs for as long as it is watched
				p.rig.Window = 100 * time.Millisecond
			}
			warmLittle(p.rig.Args)
			d := row.Disease
			works(t, p, d.Sick, d.SickArgs, d.SickEnv)
			works(t, p, d.Cure, d.CuredArgs, d.CuredEnv)
		})
	}
	stagetest.NoChildren(t, cfg.Binary)
}

// warmLittle has a form fill its cache with few entries before it works: what is not there is made when it is asked
// for, and a row whose 5,000 entries take 1.2 ms each computes for 12 s before it says the same.
func warmLittle(args []string) {
	if i := slices.Index(args, "-warm"); i >= 0 {
		if n, err := strconv.Atoi(args[i+1]); err == nil {
			args[i+1] = strconv.Itoa(min(n, 300))
		}
	}
}

// works runs a form until it has done some work.
func works(t *testing.T, p *play, label string, args, env []string) {
	t.Helper()
	s, err := p.start(t.Context(), label, args, env)
	if errors.Is(err, stage.ErrLimited) { // a CPU quota takes root
		t.Skip(err)
	}
	if err != nil {
		t.Fatalf("%s: %v", label, err)
	}
	defer func() {
		if err := s.Stop(); err != nil {
			t.Errorf("%s: %v", label, err)
		}
	}()
	if p.rig.Request == nil {
		finishes(t, s, label)
		return
	}
	answers(t, p, s.Addr, label)
}

// patience bounds the wait for work that comes at any speed of the machine.
const patience = 5 * time.Minute

// finishes waits until a form that finds its work by itself has finished some.
func finishes(t *testing.T, s *stage.Stage, label string) {
	t.Helper()
	for began := time.Now(); time.Since(began) < patience; {
		side, err := s.Measure(t.Context(), 1, nil)
		if err != nil {
			t.Fatalf("%s: %v", label, err)
		}
		if r := side.Rounds[0]; r[prove.Throughput] > 0 {
			if r[prove.ErrorShare] > 0.5 {
				t.Errorf("%s: errors %.0f %%", label, 100*r[prove.ErrorShare])
			}
			return
		}
	}
	t.Errorf("%s: nothing was done in %v", label, patience)
}

// answers asks a form one thing after another until it has answered some. On a busy machine, a form with its own time
// limit gives up on some with 5xx, but what a request asks for is there at any speed.
func answers(t *testing.T, p *play, addr, label string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	const wanted = 20
	well, bad := 0, 0
	for i := uint64(0); well < wanted; i++ {
		req, err := p.rig.Request(addr, i)
		if err != nil {
			t.Fatalf("%s: %v", label, err)
		}
		resp, err := http.DefaultClient.Do(req.WithContext(ctx))
		if err != nil {
			t.Fatalf("%s: %d answered well, %d not, then %v", label, well, bad, err)
		}
		if _, err := io.Copy(io.Discard, resp.Body); err != nil {
			t.Errorf("%s: %s: %v", label, req.URL, err)
		}
		resp.Body.Close()
		switch {
		case resp.StatusCode >= 500:
			bad++
		case resp.StatusCode >= 400:
			t.Fatalf("%s: %s: %s", label, req.URL, resp.Status)
		default:
			well++
		}
	}
	http.DefaultClient.CloseIdleConnections()
}
