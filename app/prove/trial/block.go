package trial

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/prove"
)

// Turns there and back again make a pass, in which whatever drifts evenly cancels. A block has two at least, and as
// many as take half of the time that starting and warming takes, so that servers that are slow to start are not only
// started; but never so many that fewer than minBlocks blocks fit into the maximum time.
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

// A cast is the servers of a block, and the order of their turns.
type cast struct {
	servers [sides]*server
	order   []int
}

// block starts three servers, measures them, and hands the figures to judge. When judge says that it was the last, the
// profiles are taken. All servers have been stopped when it returns.
func (t *trial) block(ctx context.Context, judge func(prove.Block) (last bool)) error {
	began := time.Now()
	c := cast{order: t.random.Perm(sides)}
	defer t.dismiss(&c)
	if err := t.prepare(ctx, &c); err != nil {
		return err
	}
	t.starting = time.Since(began)
	passes := t.passes(t.starting)
	for _, p := range t.pieces(passes) {
		for k := range t.turns() {
			i := c.order[min(k, 2*sides-1-k)]
			if err := t.measure(ctx, c.servers[i], p); err != nil {
				return err
			}
		}
	}
	b := prove.Block{A: c.servers[sideA].round(ctx), A2: c.servers[sideA2].round(ctx), B: c.servers[sideB].round(ctx)}
	b.Seconds = time.Since(began).Seconds()
	t.note(&c)
	t.watch(&c)
	for i, s := range c.servers {
		t.result.Totals[i].Add(s.sum())
	}
	if judge(b) && t.Profile > 0 {
		t.result.Profiles = t.profiles(ctx, c.servers[sideA], c.servers[sideB])
	}
	return ctx.Err()
}

// prepare starts and warms the servers.
func (t *trial) prepare(ctx context.Context, c *cast) error {
	for _, i := range c.order {
		spec := t.A
		if i == sideB {
			spec = t.B
		}
		if len(t.result.Blocks) == 0 { // the first may take long, and there is no other sign of it
			t.View.say("starting %s", [...]string{sideA: t.A.Name, sideA2: t.A.Name + " a second time",
				sideB: t.B.Name}[i])
		}
		s, err := t.start(ctx, spec)
		if err != nil {
			return err
		}
		c.servers[i] = s
	}
	for _, i := range c.order {
		if err := t.warm(ctx, c.servers[i]); err != nil {
			return err
		}
	}
	for _, s := range c.servers {
		s.from, _ = s.pprof.MemStats(ctx) // without it what follows from it is absent
	}
	return nil
}

// dismiss stops the servers.
func (t *trial) dismiss(c *cast) {
	for _, s := range c.servers {
		if s != nil {
			t.stop(s)
		}
	}
}

// errLeft ends a measurement whose servers cannot be stopped: those that are left take CPU from the next.
var errLeft = errors.New("a server could not be stopped whole")

// stop ends a server and keeps what could not be stopped.
func (t *trial) stop(s *server) {
	if err := s.stop(); err != nil {
		t.result.Left = append(t.result.Left, err)
	}
}

// passes returns how often a block goes there and back.
func (t *trial) passes(start time.Duration) int {
	if t.longer && t.Pace.Pace == nil {
		return 1
	}
	pass := 2 * sides * (t.Slice + settle)
	wanted := int(math.Ceil(float64(start) / 2 / float64(pass)))
	if t.Pace.Pace != nil {
		wanted = max(wanted, minPieces)
	}
	room := int((t.bound()/minBlocks - start) / pass)
	return max(minPasses, min(wanted, room))
}

// note keeps why the generator was the limit, if it was.
func (t *trial) note(c *cast) {
	for _, s := range c.servers {
		for _, sl := range s.slices {
			if sl.limited != "" && t.result.Limited == "" {
				t.result.Limited = sl.limited
			}
		}
	}
}

// round returns the figures of a server's slices.
func (s *server) round(ctx context.Context) prove.Round {
	sum := s.sum()
	r := prove.BlockQuantiles(sum)
	if sum.OK+sum.Errors.Total() > 0 {
		r[prove.ErrorShare] = sum.ErrorShare()
	}
	s.costs(sum, r)
	s.throttling.Add(r)
	if after, err := s.pprof.MemStats(ctx); err == nil && s.from.Mallocs > 0 && sum.OK > 0 {
		s.runtime(after, sum, r)
	}
	return r
}

// costs adds what the servers' process says. CPU per request is the whole's: the median of four slices had a standard
// deviation a fifth larger in 20 blocks of a server against itself.
func (s *server) costs(sum load.Counts, r prove.Round) {
	var elapsed, cpu float64
	for _, sl := range s.slices {
		elapsed += sl.course.took
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

// runtime adds the figures of the runtime between the first reading and a later one.
func (s *server) runtime(now child.MemStats, sum load.Counts, r prove.Round) {
	r[prove.Allocs] = (now.Mallocs - s.from.Mallocs) / float64(sum.OK)
	r[prove.AllocBytes] = (now.TotalAlloc - s.from.TotalAlloc) / float64(sum.OK)
	began, before := s.from.GC(s.Started)
	ended, spent := now.GC(s.Started)
	if began > 0 && ended > began {
		r[prove.GCCPU] = max((spent-before)/(ended-began), 0)
	}
}
