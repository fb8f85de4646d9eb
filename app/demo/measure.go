package demo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// A side is one side of the proof.
type side = prove.Side

// settleTime passes between a full cache and the measurement of the cured gateway, so that the garbage of its warm-up
// is gone. The sick one has had the time of its case.
const settleTime = 6 * time.Second

func (d *demo) settle(ctx context.Context, s *stage) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(settleTime):
		return s.failed()
	}
}

// measure makes rounds of the load's windows and of what the process and its runtime say over the same time.
func (d *demo) measure(ctx context.Context, s *stage) (side, error) {
	out := side{Variant: casefile.Variant{Label: s.variant, Command: s.command}}
	usage, err := prove.NewSampler(s.pid)
	if err != nil {
		return out, err
	}
	probe, err := newProbe(ctx, s.at.Pprof)
	if err != nil {
		return out, err
	}
	spans, windows, err := d.rounds(ctx, s, usage, probe, &out)
	if err != nil {
		return out, err
	}
	if err := probe.close(ctx); err != nil {
		return out, err
	}
	for i, span := range spans {
		if share, known := probe.gcShare(span.from, span.to); known {
			out.Rounds[i][prove.GCCPU] = share
		}
	}
	out.Whole = prove.WholeRun(load.Sum(windows))
	out.Absent = probe.target.Absent()
	return out, nil
}

// A span is the time of a round.
type span struct{ from, to time.Time }

// rounds measures one round after the other while the probe runs.
func (d *demo) rounds(ctx context.Context, s *stage, usage *prove.Sampler, probe *probe, out *side) ([]span, []load.Window, error) {
	ctx, cancel := context.WithCancel(ctx)
	var probing sync.WaitGroup
	probing.Go(func() { probe.run(ctx) })
	defer probing.Wait()
	defer cancel()

	tap := s.tap()
	if _, err := next(ctx, s, tap); err != nil { // a window that began before the measurement
		return nil, nil, err
	}
	if _, err := usage.Next(); err != nil {
		return nil, nil, err
	}
	probe.round(prove.Round{})
	from := time.Now()
	var spans []span
	var windows []load.Window
	n := int(d.Measure / round)
	for i := range n {
		w, err := next(ctx, s, tap)
		if err != nil {
			return nil, nil, err
		}
		u, err := usage.Next()
		if err != nil {
			return nil, nil, err
		}
		now := time.Now()
		spans, windows, from = append(spans, span{from, now}), append(windows, w), now
		r := prove.WindowRound(w, &u)
		probe.round(r)
		out.Rounds = append(out.Rounds, r)
		d.View.Progress(fmt.Sprintf("%2d/%d  p50 %s  p99 %s  errors %s  cpu %s", i+1, n,
			vitals.Seconds.Format(r[prove.P50]), vitals.Seconds.Format(r[prove.P99]),
			vitals.Share.Format(r[prove.ErrorShare]), vitals.Cores.Format(r[prove.CPU])))
	}
	return spans, windows, nil
}

func next(ctx context.Context, s *stage, windows <-chan load.Window) (load.Window, error) {
	timeout := time.NewTimer(10 * round)
	defer timeout.Stop()
	select {
	case w := <-windows:
		return w, s.failed()
	case <-ctx.Done():
		return load.Window{}, ctx.Err()
	case <-timeout.C:
		return load.Window{}, errors.Join(errors.New("the load generator delivers no more figures"), s.failed())
	}
}

// prove compares both sides, attaches the verdict to the case and shows it.
func (d *demo) prove(before, after side) error {
	p, err := prove.Compare(before, after, prove.Options{
		Key: prove.GCCPU, Taken: time.Now().UTC(), Machine: machine(),
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

// machine says where the proof was made.
func machine() string {
	text := fmt.Sprintf("%d CPUs, %s %s/%s", runtime.NumCPU(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	data, _ := os.ReadFile("/proc/cpuinfo") // elsewhere the model is not told
	for _, l := range strings.Split(string(data), "\n") {
		if name, ok := strings.CutPrefix(l, "model name"); ok {
			return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(name), ":")) + ", " + text
		}
	}
	return text
}
