package instance

import (
	"context"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// courseStep is the time between two samples of a course. The kernel counts CPU in steps of 10 ms, so that a sample is
// right to a fifth of a core.
const courseStep = 50 * time.Millisecond

// Course is what the kernel says of the process for a while, twenty times a second: its CPU and its reads and writes.
// It asks the process nothing. What comes and goes within a second shows there, which samples of a second cannot show.
// It is empty where there is no /proc of the process. It may run beside Sample.
func (t *HTTP) Course(ctx context.Context, d time.Duration) []vitals.Sample {
	return t.proc.Load().course(ctx, d)
}

// Course is as that of HTTP, of the calling process.
func (t *Self) Course(ctx context.Context, d time.Duration) []vitals.Sample {
	return t.proc.course(ctx, d)
}

// course samples a process until d has passed or ctx ends; none of nil.
func (p *process) course(ctx context.Context, d time.Duration) []vitals.Sample {
	if p == nil {
		return nil
	}
	read, end := p.counts()
	defer end()
	ticker := time.NewTicker(courseStep)
	defer ticker.Stop()
	var out []vitals.Sample
	was, ok := read()
	for began := was.at; ok && was.at.Sub(began) < d; {
		select {
		case <-ctx.Done():
			return out
		case <-ticker.C:
		}
		var is processCounts
		if is, ok = read(); ok {
			out = append(out, is.since(was))
			was = is
		}
	}
	return out
}

// processCounts are what the kernel counts of a process.
type processCounts struct {
	at            time.Time
	cpu           float64 // seconds
	reads, writes uint64
	calls         bool // reads and writes are known
}

// since is the sample of the time between two readings.
func (c processCounts) since(was processCounts) vitals.Sample {
	s := vitals.NewSample(c.at)
	dt := c.at.Sub(was.at).Seconds()
	s.Set(vitals.CPU, (c.cpu-was.cpu)/dt)
	if c.calls && was.calls {
		s.Set(vitals.ReadCalls, float64(c.reads-was.reads)/dt)
		s.Set(vitals.WriteCalls, float64(c.writes-was.writes)/dt)
	}
	return s
}
