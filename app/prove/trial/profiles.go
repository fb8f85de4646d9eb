package trial

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// Profiles are of both sides under the load, in slices that do not count.
type Profiles struct {
	A, B SideProfiles
	// Moved are the functions whose CPU per request changed most.
	Moved []casefile.Moved
	// Absent says why there are no CPU profiles.
	Absent string
}

// SideProfiles are one server's, as it served them; nil if they could not be taken.
type SideProfiles struct {
	CPU, Heap []byte
	// NoHeap says why there is no heap profile although there is one of the CPU.
	NoHeap   error
	requests uint64 // answered well while the CPU profile was taken
	cpu      float64
}

// Files returns the profiles by the names they are kept under.
func (p *Profiles) Files() map[string][]byte {
	files := make(map[string][]byte)
	for name, data := range map[string][]byte{"a.cpu.pb.gz": p.A.CPU, "a.heap.pb.gz": p.A.Heap, "b.cpu.pb.gz": p.B.CPU,
		"b.heap.pb.gz": p.B.Heap} {
		if data != nil {
			files[name] = data
		}
	}
	return files
}

// profiles takes them and says where the CPU changed.
func (t *trial) profiles(ctx context.Context, a, b *server) *Profiles {
	t.View.say("taking profiles of both sides, %v each", t.Profile)
	p := &Profiles{}
	seconds := max(1, int(math.Round(t.Profile.Seconds())))
	pieces := t.even(time.Duration(seconds) * time.Second)
	var errA, errB error
	p.A, errA = t.profile(ctx, a, seconds, pieces)
	p.B, errB = t.profile(ctx, b, seconds, pieces)
	switch {
	case ctx.Err() != nil:
		p.Absent = "the measurement was interrupted"
	case errA != nil:
		p.Absent = "A: " + errA.Error()
	case errB != nil:
		p.Absent = "B: " + errB.Error()
	default:
		var err error
		if p.Moved, err = moved(&p.A, &p.B); err != nil {
			p.Absent = err.Error()
		}
	}
	return p
}

// profile loads a server while its CPU profile is taken, and takes its heap profile afterwards.
func (t *trial) profile(ctx context.Context, s *server, seconds int, pieces []piece) (SideProfiles, error) {
	var p SideProfiles
	var err, loadErr error
	var taking sync.WaitGroup
	s.cpu()
	taking.Go(func() {
		p.CPU, err = s.pprof.CPU(ctx, time.Duration(seconds)*time.Second)
	})
	for _, part := range pieces {
		var res load.Result
		if res, loadErr = t.turn(ctx, s, part, nil); loadErr != nil {
			break
		}
		p.requests += res.OK
	}
	taking.Wait()
	p.cpu = s.cpu()
	switch {
	case loadErr != nil:
		return p, loadErr
	case err != nil:
		return p, err
	case p.requests == 0:
		return p, fmt.Errorf("no request succeeded while the profile was taken")
	}
	p.Heap, p.NoHeap = s.pprof.Heap(ctx)
	return p, nil
}

// maxMoved is how many functions are named, and clearMove the standard errors that a change must be above: the counts
// of samples are Poisson's, so that the variance of a difference is the sum of the counts.
const (
	maxMoved  = 5
	clearMove = 3
)

// moved returns the functions of the user's own code whose CPU per request changed most, each with what it called
// outside that code. What has no user's function on its stack counts by its outermost function.
//
// The level is the CPU time of /proc, the shares are the profile's: profiles undercount services that work in short
// bursts.
func moved(a, b *SideProfiles) ([]casefile.Moved, error) {
	table := stacks.NewTable("")
	before, err := costs(table, a)
	if err != nil {
		return nil, fmt.Errorf("the profiles of A: %w", err)
	}
	after, err := costs(table, b)
	if err != nil {
		return nil, fmt.Errorf("the profiles of B: %w", err)
	}
	var all []casefile.Moved
	names := make(map[string]bool)
	for _, side := range []map[string]cost{before, after} {
		for name, c := range side {
			if names[name] {
				continue
			}
			names[name] = true
			x, y := before[name], after[name]
			noise := math.Sqrt(x.variance + y.variance)
			if math.Abs(y.perRequest-x.perRequest) > clearMove*noise {
				all = append(all, casefile.Moved{Function: name, File: c.file, Line: c.line, Before: x.perRequest,
					After: y.perRequest})
			}
		}
	}
	slices.SortFunc(all, func(x, y casefile.Moved) int {
		return cmp.Or(cmp.Compare(math.Abs(y.After-y.Before), math.Abs(x.After-x.Before)),
			cmp.Compare(x.Function, y.Function))
	})
	return all[:min(len(all), maxMoved)], nil
}

// A cost is a function's CPU per request.
type cost struct {
	perRequest float64 // seconds
	variance   float64
	file       string
	line       int
}

// costs reads a CPU profile.
func costs(table *stacks.Table, p *SideProfiles) (map[string]cost, error) {
	set, err := table.Read(stacks.Source{Name: "cpu", Kind: casefile.CPU}, p.CPU)
	if err != nil {
		return nil, err
	}
	count, nanos := set.Value("samples", "count"), set.Value("cpu", "nanoseconds")
	total := float64(set.Total(stacks.ByValue(nanos)))
	if count < 0 || nanos < 0 || total == 0 {
		return nil, fmt.Errorf("the CPU profile has no samples")
	}
	level := total / 1e9
	if p.cpu > 0 {
		level = p.cpu
	}
	out := make(map[string]cost)
	for i := range set.Samples {
		s := &set.Samples[i]
		frame, _ := table.UserFrame(s.Stack)
		if frame == stacks.NoFrame && len(s.Stack) > 0 {
			frame = s.Stack[len(s.Stack)-1]
		}
		if frame == stacks.NoFrame {
			continue
		}
		f := table.Func(frame)
		c := out[f.Name]
		scale := level / total / float64(p.requests) // seconds per request for a nanosecond of samples
		v := float64(s.Values[nanos])
		c.perRequest += v * scale
		if n := float64(s.Values[count]); n > 0 {
			c.variance += v * v / n * scale * scale
		}
		if c.file == "" {
			c.file, c.line = f.File, table.Line(frame)
		}
		out[f.Name] = c
	}
	return out, nil
}
