package demo

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/lab/stage"
	"github.com/gocasebook/casebook/lab/stage/stagetest"
)

// BenchmarkWatchCost measures what watching costs the gateway while nothing happens: its CPU, as a share of one core,
// with and without a watch at the default interval, in turns (ABBA) in one process. The difference is the cost.
func BenchmarkWatchCost(b *testing.B) {
	bin := stagetest.Lab(b)
	for _, rate := range []float64{0, 300} {
		b.Run(fmt.Sprintf("rate=%.0f", rate), func(b *testing.B) {
			for b.Loop() {
				measureWatchCost(b, bin, rate)
			}
		})
	}
}

const (
	costRounds = 12 // half of them watched
	costRound  = 8 * time.Second
)

func measureWatchCost(b *testing.B, bin string, rate float64) {
	d := &demo{Config: Config{Binary: bin, Entries: 500_000, Memory: "4GiB", Rate: rate}}
	upstreams, err := d.startUpstreams(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	defer stop(b, upstreams)
	s, err := d.startStage(b.Context(), "gcache")
	if err != nil {
		b.Fatal(err)
	}
	defer stop(b, s)
	if err := awaitReady(b.Context(), s, nil); err != nil {
		b.Fatal(err)
	}
	s.Resume(b.Context())
	var diffs []float64
	var watched, alone float64
	for range costRounds / 4 {
		a1, w1 := cpuShare(b, s, false), cpuShare(b, s, true)
		w2, a2 := cpuShare(b, s, true), cpuShare(b, s, false)
		diffs = append(diffs, w1-a1, w2-a2)
		watched, alone = watched+w1+w2, alone+a1+a2
	}
	n := float64(len(diffs))
	mean, sd := (watched-alone)/n, 0.0
	for _, x := range diffs {
		sd += (x - mean) * (x - mean)
	}
	sd = math.Sqrt(sd / (n - 1))
	b.ReportMetric(100*alone/n, "%core-alone")
	b.ReportMetric(100*watched/n, "%core-watched")
	b.ReportMetric(100*mean, "%core-cost")
	b.ReportMetric(100*sd/math.Sqrt(n), "%core-stderr")
}

// stop ends a process.
func stop(b *testing.B, p interface{ Stop() error }) {
	if err := p.Stop(); err != nil {
		b.Error(err)
	}
}

// cpuShare is the gateway's CPU over a round, as a share of one core.
func cpuShare(b *testing.B, s *stage.Stage, watched bool) float64 {
	ctx, cancel := context.WithTimeout(b.Context(), costRound)
	defer cancel()
	usage, err := prove.NewSampler(s.PID())
	if err != nil {
		b.Fatal(err)
	}
	if watched {
		t, err := instance.NewHTTP(s.PprofAddr)
		if err != nil {
			b.Fatal(err)
		}
		w, err := casebook.New(casebook.Config{Target: t, Dir: b.TempDir()})
		if err != nil {
			b.Fatal(err)
		}
		if err := w.Run(ctx); err != nil {
			b.Fatal(err)
		}
		if st := w.Status(); st.Cases > 0 || st.Ticks < uint64(costRound/time.Second)-2 {
			b.Fatalf("not a quiet watch: %d cases, %d ticks", st.Cases, st.Ticks)
		}
	}
	<-ctx.Done()
	u, err := usage.Next()
	if err != nil {
		b.Fatal(err)
	}
	return u.CPUSeconds / u.Seconds
}
