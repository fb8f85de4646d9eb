package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"sync"
	"text/tabwriter"
	"time"

	"golang.org/x/sync/errgroup"
)

// A trial is one spike and what the watcher made of it.
type trial struct {
	tripped  bool
	trip     time.Duration // from the start of the spike
	evidence time.Duration // from the start of the spike to the first evidence on disk
	share    float64       // of the CPU that the spike got
	hits     int           // samples of this spike's culprit in the CPU evidence; at 100 Hz, one is 10 ms
}

// A spiker is a watcher of whom spikes are asked, and what it needs to be told apart from one that failed.
type spiker struct {
	name string
	// after the end of a spike, for a trip; holmes' sample of a second may begin when the spike ends
	patience time.Duration
	quiet    time.Duration // after the evidence: the cool-down of a second, and the next tick
}

var spikers = [...]spiker{
	{defaultName, 600 * time.Millisecond, time.Second},
	{holmesName, 1700 * time.Millisecond, 1200 * time.Millisecond},
}

const (
	warmUp       = 13 * time.Second // holmes judges after ten samples
	casePatience = 30 * time.Second // after the trip; holmes profiles for 5 s
)

// spikesPart prints, for each length of spike, in how many the culprit is in the CPU evidence. A spike comes at a
// random moment, and one service spikes at a time; the one that has to write its evidence does so beside the other's
// spike.
func spikesPart(ctx context.Context, c config, out io.Writer) error {
	var services [len(spikers)]*process
	for i, s := range spikers {
		dir, err := os.MkdirTemp("", "holmes-bench-spikes-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		if services[i], err = startChild(ctx, s.name, dir, role{spikes: true}); err != nil {
			return err
		}
		defer services[i].stop()
	}
	if err := pause(ctx, warmUp); err != nil {
		return err
	}
	var cpus sync.Mutex // held by the service that spikes
	var trials [len(spikers)][][]trial
	group, ctx := errgroup.WithContext(ctx)
	for i, s := range spikers {
		group.Go(func() (err error) {
			trials[i], err = s.trials(ctx, c, services[i], &cpus)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return printSpikes(out, c, trials)
}

// trials has a service spike c.spikes times at every length.
func (s spiker) trials(ctx context.Context, c config, p *process, cpus *sync.Mutex) ([][]trial, error) {
	trials := make([][]trial, len(c.lengths))
	for n := range c.spikes {
		for l, length := range c.lengths {
			t, err := s.try(ctx, p, cpus, n*len(c.lengths)+l, length)
			if err != nil {
				return nil, fmt.Errorf("%s, a spike of %s: %w", s.name, length, err)
			}
			trials[l] = append(trials[l], t)
		}
		fmt.Fprintf(c.log, "spikes: %s, %d of %d\n", s.name, n+1, c.spikes)
	}
	return trials, nil
}

// try has a service spike once, and reads the evidence.
func (s spiker) try(ctx context.Context, p *process, cpus *sync.Mutex, number int, length time.Duration) (trial,
	error) {
	// Up to an interval of the slower watcher more: the spike falls anywhere between its ticks.
	if err := pause(ctx, s.quiet+rand.N(time.Second)); err != nil {
		return trial{}, err
	}
	cpus.Lock()
	free := sync.OnceFunc(cpus.Unlock)
	defer free()
	for len(p.events) > 0 {
		<-p.events // of the time before
	}
	if err := p.ask("%s %d %s", evSpike, number, length); err != nil {
		return trial{}, err
	}
	began, err := p.await(ctx, evSpike, 10*time.Second)
	if err != nil {
		return trial{}, err
	}
	f := follower{number: number, began: began.At, deadline: time.NewTimer(time.Until(began.At.Add(length +
		s.patience))), end: began.At.Add(length + s.patience)}
	defer f.deadline.Stop()
	return f.follow(ctx, p, free)
}

// A follower hears what the watcher does about a spike, until its evidence is complete or nothing can be expected any
// more. A spike may be told of in several cases: one that follows at once may hold what the first lacks.
type follower struct {
	trial
	number   int
	began    time.Time
	end      time.Time   // until when a trip may come
	deadline *time.Timer // until when the next event may come
	open     int         // cases that are being taken
	burnt    bool        // the spike has ended
}

// follow calls free when the other services may spike: this one has, and the watcher knows or never will.
func (f *follower) follow(ctx context.Context, p *process, free func()) (trial, error) {
	for {
		select {
		case <-ctx.Done():
			return f.trial, ctx.Err()
		case <-f.deadline.C:
			return f.trial, nil // with open > 0, a trip whose evidence never came: that is a result, too
		case e, ok := <-p.events:
			if !ok {
				return f.trial, errors.New("the service ended")
			}
			if err := f.hear(e); err != nil {
				return f.trial, err
			}
			if f.burnt && f.tripped {
				free()
			}
		}
	}
}

func (f *follower) hear(e event) error {
	switch e.Kind {
	case evBurnt:
		f.burnt, f.share = true, e.Share
	case evTrip:
		if !f.tripped {
			f.tripped, f.trip = true, e.At.Sub(f.began)
		}
		f.open++
		f.deadline.Reset(casePatience)
	case evEvidence:
		if f.evidence == 0 {
			f.evidence = e.At.Sub(f.began)
		}
	case evCase:
		hits, err := countCulprit(e.Path, f.number)
		if err != nil {
			return err
		}
		f.hits += hits
		f.open--
		f.deadline.Reset(max(time.Until(f.end), 0))
	}
	return nil
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

func printSpikes(out io.Writer, c config, trials [len(spikers)][][]trial) error {
	fmt.Fprintf(out,
		"\nCPU spikes of every core, %d of each length at random moments; delays are medians from the start of the "+
			"spike\n",
		c.spikes)
	fmt.Fprintf(out, "casebook: 100 ms, cpu_share above 0.7; holmes: 1 s, abs 70 %%\n")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "spike\tof the CPU\tculprit found\ttripped\tsamples\tto trip\tto evidence\t  \n")
	for l, length := range c.lengths {
		for i, watched := range spikers {
			s := tally(trials[i][l])
			fmt.Fprintf(w, "%s\t%.0f %%\t%d/%d\t%d\t%d\t%s\t%s\t  %s\n", length, 100*median(s.shares), s.found, s.n,
				s.tripped, median(s.hits),
				shown(s.trips), shown(s.evidence), watched.name)
		}
	}
	return w.Flush()
}

// A sum is the trials of one length and watcher.
type sum struct {
	n, found, tripped int
	hits              []int // of those found
	shares            []float64
	trips, evidence   []time.Duration
}

func tally(trials []trial) (s sum) {
	for _, t := range trials {
		s.n++
		s.shares = append(s.shares, t.share)
		if t.hits > 0 {
			s.found++
			s.hits = append(s.hits, t.hits)
		}
		if t.tripped {
			s.tripped++
			s.trips = append(s.trips, t.trip)
		}
		if t.evidence > 0 {
			s.evidence = append(s.evidence, t.evidence)
		}
	}
	return s
}

func shown(ds []time.Duration) string {
	if len(ds) == 0 {
		return "–"
	}
	return median(ds).Round(time.Millisecond).String()
}
