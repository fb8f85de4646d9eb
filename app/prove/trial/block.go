package trial

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/prove"
)

// Turns there and back again make a pass, in which whatever drifts evenly cancels. A block has two at least, and as many
// as take half of the time that starting and warming takes, so that servers that are slow to start are not only started; but
// never so many that fewer than minBlocks blocks fit into the maximum time.
const (
	minPasses = 2
	minBlocks = 5
)

// The servers of a block.
const (
	sideA = iota
	sideA2
	sideB
	sides
)

// block starts three servers, measures them, and hands the figures to judge. When judge says that it was the last, the profiles
// are taken. All servers have been stopped when it returns.
func (t *trial) block(ctx context.Context, judge func(prove.Block) (last bool)) (err error) {
	began := time.Now()
	var servers [sides]*server
	defer func() {
		for _, s := range servers {
			if s != nil {
				err = errors.Join(err, s.stop())
			}
		}
	}()
	order := t.random.Perm(sides)
	for _, i := range order {
		spec := t.A
		if i == sideB {
			spec = t.B
		}
		if servers[i], err = t.start(ctx, spec); err != nil {
			return err
		}
	}
	for _, i := range order {
		if err := t.warm(ctx, servers[i]); err != nil {
			return err
		}
	}
	for _, s := range servers {
		s.from = s.pprof.memStats(ctx)
	}
	for range t.passes(time.Since(began)) {
		for k := range 2 * sides { // there and back
			i := order[min(k, 2*sides-1-k)]
			if err := t.measure(ctx, servers[i]); err != nil {
				return err
			}
		}
	}
	b := prove.Block{A: servers[sideA].round(ctx), A2: servers[sideA2].round(ctx), B: servers[sideB].round(ctx)}
	b.Seconds = time.Since(began).Seconds()
	t.note(servers[:])
	for i, s := range servers {
		t.result.Totals[i].Add(s.sum())
	}
	if judge(b) && t.Profile > 0 {
		t.result.Profiles = t.profiles(ctx, servers[sideA], servers[sideB])
	}
	return ctx.Err()
}

// passes is how often a block goes there and back.
func (t *trial) passes(start time.Duration) int {
	pass := 2 * sides * (t.Slice + settle)
	wanted := int(math.Ceil(float64(start) / 2 / float64(pass)))
	room := int((t.MaxTime/minBlocks - start) / pass)
	return max(minPasses, min(wanted, room))
}

// note keeps why the generator was the limit, if it was.
func (t *trial) note(servers []*server) {
	for _, s := range servers {
		for _, sl := range s.slices {
			if sl.limited != "" && t.result.Limited == "" {
				t.result.Limited = sl.limited
			}
		}
	}
}

// round is the figures of a server's slices.
func (s *server) round(ctx context.Context) prove.Round {
	sum := s.sum()
	r := prove.Round{}
	for _, q := range prove.LatencyQuantiles() {
		// The n-th largest of a few requests is chance.
		if float64(sum.Latency.Count())*(1-q.Q) >= minAbove {
			r[q.Name] = sum.Latency.Quantile(q.Q).Seconds()
		}
	}
	if sum.OK+sum.Errors.Total() > 0 {
		r[prove.ErrorShare] = sum.ErrorShare()
	}
	s.costs(sum, r)
	s.throttling.add(r)
	if after := s.pprof.memStats(ctx); sum.OK > 0 {
		after.since(s.from, sum, s.Started, r)
	}
	return r
}

// minAbove is how many of a block's requests must lie above a latency quantile.
const minAbove = 5

// costs adds what the servers' process says. CPU per request is the whole's: the median of four slices had a standard
// deviation a fifth larger in 20 blocks of a server against itself.
func (s *server) costs(sum load.Counts, r prove.Round) {
	var elapsed, cpu float64
	for _, sl := range s.slices {
		elapsed += sl.elapsed
		cpu += sl.cpu
	}
	r[prove.Throughput] = float64(sum.OK) / elapsed
	if sum.OK > 0 && !math.IsNaN(cpu) {
		r[prove.CPUPerRequest] = cpu / float64(sum.OK)
	}
	if rss := s.slices[len(s.slices)-1].rss; !math.IsNaN(rss) {
		r[prove.RSS] = rss
	}
}

// since adds the figures of the runtime between two readings.
func (m memStats) since(from memStats, sum load.Counts, started time.Time, r prove.Round) {
	if m.Mallocs == 0 || from.Mallocs == 0 {
		return
	}
	r[prove.Allocs] = (m.Mallocs - from.Mallocs) / float64(sum.OK)
	r[prove.AllocBytes] = (m.TotalAlloc - from.TotalAlloc) / float64(sum.OK)
	start := float64(started.UnixNano())
	before, after := from.LastGC-start, m.LastGC-start
	if from.LastGC > 0 && after > before {
		r[prove.GCCPU] = max((m.GCCPUFraction*after-from.GCCPUFraction*before)/(after-before), 0)
	}
}
