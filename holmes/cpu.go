package holmes

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
)

// closed dumps the CPU profiles of a case for the CPU trips that wait for it. It is no job of the dumper, which must
// not wait for a further profile, and which has ended when Stop closes the last case.
func (r *run) closed(ctx context.Context, e *casebook.Event) {
	waiting := r.seen.waiting[e.CaseID]
	delete(r.seen.waiting, e.CaseID)
	for _, d := range waiting {
		path := e.Path
		r.work.Go(func() {
			r.guard(ctx, func(ctx context.Context) { r.dumpCPU(ctx, d, path) })
		})
	}
}

// dumpCPU copies a case's CPU profiles into holmes' files. A trip that joined a case without a CPU profile gets one of
// its own.
func (r *run) dumpCPU(ctx context.Context, d dump, path string) {
	folder, err := casefile.Open(path)
	if err == nil && !hasCPU(folder) {
		folder, err = r.captureCPU(ctx)
	}
	if err != nil {
		if ctx.Err() == nil {
			r.h.Errorf("[Holmes] no cpu dump: %v", err)
		}
		return
	}
	for _, e := range folder.Case.Evidence {
		if e.Kind == casefile.CPU && concerns(e, d.at) {
			r.saveCPU(d, folder, e)
		}
	}
	for _, m := range folder.Case.Missing {
		if m.Kind == casefile.CPU {
			r.h.Warnf("[Holmes] the cpu profile %s the trip is missing: %s", m.Phase, m.Reason)
		}
	}
}

func (r *run) saveCPU(d dump, folder *casefile.Folder, e casefile.Evidence) {
	data, err := folder.Read(e.File)
	if err != nil {
		r.h.Errorf("[Holmes] no cpu dump: %v", err)
		return
	}
	if e.Phase == casefile.Before {
		d.event = string(casefile.Before)
	}
	o := r.h.options()
	r.save(&o, d, cpu, data, data)
}

// concerns leaves out windows that ended long before the trip.
func concerns(e casefile.Evidence, trip time.Time) bool {
	ended := e.Taken.Add(time.Duration(e.Seconds * float64(time.Second)))
	return e.Phase != casefile.Before || ended.After(trip.Add(-recently))
}

// recently is longer than what a rule's sample looks back at, the interval, mostly is; a window of 10 s that ended in
// it may hold the spike.
const recently = 5 * time.Second

func hasCPU(f *casefile.Folder) bool {
	for _, e := range f.Case.Evidence {
		if e.Kind == casefile.CPU {
			return true
		}
	}
	for _, m := range f.Case.Missing {
		if m.Kind == casefile.CPU {
			return true // it was tried, and there is a reason
		}
	}
	return false
}

// captureCPU takes a case of its own as soon as the watch is free.
func (r *run) captureCPU(ctx context.Context) (*casefile.Folder, error) {
	for range 10 {
		folder, err := r.watch.Capture(ctx, "holmes: the CPU rule tripped while a case was being taken", casefile.CPU)
		if !errors.Is(err, casebook.ErrBusy) {
			return folder, err
		}
		if !sleep(ctx, time.Second) {
			return nil, ctx.Err()
		}
	}
	return nil, fmt.Errorf("taking a CPU profile of its own: %w", casebook.ErrBusy)
}
