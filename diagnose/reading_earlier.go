package diagnose

import (
	"context"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// readEarlier reads of the evidence that this is compared with what shows growth: heap profiles, what goroutines did
// beside them, and the vitals. What cannot be read was told of when that evidence was judged by itself.
func readEarlier(ctx context.Context, r *Reading, evidence []Evidence) {
	wanted := []string{"", casefile.Heap, casefile.Allocs, casefile.Goroutine, casefile.GoroutineDump}
	for _, e := range evidence[:min(len(evidence), maxEvidence)] {
		switch {
		case ctx.Err() != nil:
			return
		case e.Value != nil || isMachineUse(e) || isHolders(e) || isNumbers(e) || isTraceSummary(e):
		case isVitals(e):
			_, samples, _ := readSamples(r, e.Data[:min(len(e.Data), stacks.MaxFile)])
			r.EarlierVitals = append(r.EarlierVitals, samples...)
		case slices.Contains(wanted, e.Kind):
			kind := e.Kind
			if kind == casefile.GoroutineDump {
				kind = casefile.Goroutine
			}
			set, err := r.Table.Read(stacks.Source{Name: e.Name, Kind: kind, Taken: e.Taken, Seconds: e.Seconds}, e.Data)
			if err == nil && slices.Contains(wanted[1:], set.Kind) && set.Seconds == 0 && !set.Taken.IsZero() {
				r.EarlierSets = append(r.EarlierSets, set)
			}
		}
	}
	slices.SortStableFunc(r.EarlierSets, func(a, b *stacks.Set) int { return a.Taken.Compare(b.Taken) })
	slices.SortStableFunc(r.EarlierVitals, func(a, b vitals.Sample) int { return a.Time.Compare(b.Time) })
	other := isAnotherRun(r)
	r.EarlierSets = slices.DeleteFunc(r.EarlierSets, func(s *stacks.Set) bool {
		return other && s.Kind == casefile.Goroutine || s.Taken.Before(r.Started)
	})
}

// isAnotherRun reports whether heap profiles on both sides show that the process was started anew. A goroutine profile
// does not say which run of a program it is of.
func isAnotherRun(r *Reading) bool {
	before := slices.ContainsFunc(r.EarlierSets, func(s *stacks.Set) bool { return s.Kind != casefile.Goroutine })
	if !before || len(r.Best(casefile.Heap, casefile.Allocs)) == 0 {
		return false
	}
	g, ok := r.Growth()
	return !ok || !slices.Contains(r.EarlierSets, g.First)
}

// allMoments are what goroutines did, oldest first: of earlier evidence, too.
func allMoments(r *Reading) []*stacks.Set {
	own := r.Moments()
	var out []*stacks.Set
	for _, s := range r.EarlierSets {
		if s.Kind == casefile.Goroutine && (len(own) == 0 || s.Taken.Before(own[0].Taken)) {
			out = append(out, s)
		}
	}
	return append(out, own...)
}

// valueNear is the value of a signal that is nearest to a time, within besideHeap.
func valueNear(r *Reading, id vitals.ID, at time.Time) (value float64, ok bool) {
	nearest := besideHeap
	for _, samples := range [][]vitals.Sample{r.EarlierVitals, r.Vitals} {
		for i := range samples {
			if v, has := samples[i].Get(id); has && samples[i].Time.Sub(at).Abs() <= nearest {
				nearest, value, ok = samples[i].Time.Sub(at).Abs(), v, true
			}
		}
	}
	return value, ok
}
