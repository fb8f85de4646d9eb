package casebook

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/internal/recorder"
	"github.com/gocasebook/casebook/vitals"
)

// before keeps what was recorded before the trip: the rings, the shortest-lived first.
func (t *taking) before(ctx context.Context, history []vitals.Sample) {
	if t.wants(casefile.CPU) && t.w.self { // from outside a window cannot be cut, and snapshots do not wait for it
		t.addWindows(ctx)
	}
	if t.s.trace != nil && !t.job.brief {
		t.addFlight(ctx)
	}
	t.addVitals(history, "vitals-before.jsonl", casefile.Before)
	t.addBaseline()
}

func (t *taking) wants(kind string) bool {
	return slices.Contains(t.job.kinds, kind)
}

// addWindows ends the current CPU profile window and keeps it with those before it.
func (t *taking) addWindows(ctx context.Context) {
	if t.s.windows == nil {
		return
	}
	windows := t.s.windows.Cut(ctx)
	for i, win := range windows {
		t.addProfile(windowProfile(win), fmt.Sprintf("cpu-before-%d.pb.gz", i+1), casefile.Before)
	}
}

func windowProfile(w recorder.Window) instance.Profile {
	return instance.Profile{Kind: casefile.CPU, Data: w.Data, Taken: w.Began, Seconds: w.Ended.Sub(w.Began).Seconds(),
		Note: w.Note}
}

// flightTimeout limits the time to write the flight recorder's ring, which took up to 1.4 s where two cores were
// saturated (Go 1.26).
const flightTimeout = 15 * time.Second

// addFlight keeps the flight recorder's ring, or says in the case why there is none.
func (t *taking) addFlight(ctx context.Context) {
	spent, err := t.w.ask(casefile.Trace, 0)
	if err != nil {
		t.miss(casefile.Trace, casefile.Before, err)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, flightTimeout)
	defer cancel()
	p := instance.Profile{Kind: casefile.Trace, Taken: time.Now()}
	p.Data, p.Note, err = t.s.trace.Snapshot(ctx)
	p.Cost = time.Since(p.Taken)
	spent.settle(p, err)
	if err != nil {
		t.miss(casefile.Trace, casefile.Before, &instance.EmptyError{Reason: err.Error()}) // it is usually off
		return
	}
	t.addProfile(p, fileName(casefile.Trace, casefile.Before), casefile.Before)
}
