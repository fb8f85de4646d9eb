package gate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/app/prove/trial"
	"github.com/gocasebook/casebook/casefile"
)

// profileTime returns how long the CPU profile of a side takes: until it has 400 samples, of which a share is right to
// 2.5 percentage points, at the 100 Hz of runtime/pprof; more for changes below 16 %, by their square, so that a
// function that has most of the CPU stands out in shares of both sides. cores are what the head uses under the load,
// change is that of its CPU per request.
func profileTime(cores, change float64) time.Duration {
	const hertz, fewest, scale = 100, 400, 10
	const least, most = 5, 30 // seconds
	seconds := math.Ceil(max(fewest, scale/(change*change)) / hertz / cores)
	if !(seconds < most) { // also where the CPU time is not known
		return most * time.Second
	}
	return time.Duration(max(least, seconds)) * time.Second
}

// heapRate is runtime.MemProfileRate as Go sets it: a sample represents about this many bytes.
const heapRate = 512 << 10

// explain profiles both sides under the load in their own block, once for all figures that failed. Allocations are
// explained by the allocations of the heap profile; everything else by CPU per request, which is what most often moves
// it.
func (s *service) explain(ctx context.Context, j *Judgement) ([]Blame, error) {
	if s.profiles == nil {
		res, err := s.trial(ctx, 1, cmp.Or(s.Trial.Profile,
			profileTime(s.Trial.Rate*s.median[headSide], s.median[headSide]/s.median[baseSide]-1)))
		if err != nil {
			return nil, err
		}
		s.profiles = res.Profiles
	}
	p := s.profiles
	if p == nil || p.A.CPU == nil || p.B.CPU == nil {
		return nil, absent(p)
	}
	how := serviceProfiling(j.Figure)
	if how.kind == casefile.Heap {
		return blamesOf(p.A.Heap, p.B.Heap, how, s.changed(ctx), j.Base, j.Head)
	}
	out, err := blamesOf(p.A.CPU, p.B.CPU, how, s.changed(ctx), s.median[baseSide], s.median[headSide])
	for i := range out {
		out[i].Unit = "seconds"
	}
	if j.Figure != prove.CPUPerRequest && (s.median[headSide] > s.median[baseSide]) != (j.Head > j.Base) {
		return nil, err // it is not CPU that made it
	}
	return out, err
}

// absent returns why there are no profiles.
func absent(p *trial.Profiles) error {
	if p == nil || p.Absent == "" {
		return errors.New("none were taken")
	}
	return errors.New(p.Absent)
}

// serviceProfiling returns how a figure of a service is explained.
func serviceProfiling(figure string) profiling {
	switch figure {
	case prove.Allocs:
		return profiling{typ: "alloc_objects", unit: "count", kind: casefile.Heap, rate: heapRate}
	case prove.AllocBytes:
		return profiling{typ: "alloc_space", unit: "bytes", kind: casefile.Heap, rate: heapRate}
	}
	return profiling{typ: "cpu", unit: "nanoseconds", kind: casefile.CPU}
}

// blamesOf compares the profiles of both sides.
func blamesOf(before, after []byte, how profiling, changed changes, base, head float64) ([]Blame, error) {
	x, err := sharesOf(before, "", how, changed)
	if err != nil {
		return nil, fmt.Errorf("the base: %w", err)
	}
	y, err := sharesOf(after, "", how, changed)
	if err != nil {
		return nil, fmt.Errorf("the head: %w", err)
	}
	return blames(x, y, base, head), nil
}
