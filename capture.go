package casebook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/vitals"
)

var errFull = errors.New("the disk is full: nothing more was taken")

// capture takes one artefact, if the budget allows it.
func (t *taking) capture(ctx context.Context, kind string, phase casefile.Phase, d time.Duration) {
	if t.full.Load() {
		t.out.Missing(kind, phase, errFull.Error())
		return
	}
	spent, err := t.ask(kind, d)
	if err != nil {
		t.miss(kind, phase, err)
		return
	}
	if d > 0 {
		begun := casefile.Evidence{Kind: kind, Phase: phase, Seconds: d.Seconds()}
		t.w.emit(Event{Kind: Capturing, CaseID: t.job.id, Evidence: begun})
	}
	p, err := inTime(ctx, "capturing "+kind, func(ctx context.Context) (instance.Profile,
		error) {
		return t.profile(ctx, kind, d)
	})
	spent.settle(p, err)
	switch {
	case err == nil || ctx.Err() == nil:
	case context.Cause(ctx) == errLate:
		err = errLate
	default:
		err = errors.New("the watch was stopped before it was taken")
	}
	if err != nil {
		t.miss(kind, phase, err)
		return
	}
	t.late.answered(kind)
	name := fileName(kind, phase)
	if t.laterFile {
		name = kind + "-later" + extension(kind)
	}
	t.addProfile(p, name, phase)
	p.Release()
}

// profile asks the target, except for the CPU profile where windows roll.
func (t *taking) profile(ctx context.Context, kind string, d time.Duration) (instance.Profile, error) {
	if kind == casefile.CPU {
		return t.w.profileCPU(ctx, t.s, d)
	}
	return t.w.cfg.Target.Capture(ctx, kind, d)
}

// profileCPU profiles by the windows where they roll: they hold the process's one CPU profiler.
func (w *Watch) profileCPU(ctx context.Context, s *session, d time.Duration) (instance.Profile, error) {
	if s.windows == nil {
		return w.cfg.Target.Capture(ctx, casefile.CPU, d)
	}
	win, err := s.windows.Next(ctx, d)
	return windowProfile(win), err
}

func (t *taking) addProfile(p instance.Profile, file string, phase casefile.Phase) {
	t.add(casefile.Evidence{
		// The kind first: fresh is of the goroutine that takes the heap, and of a late target others take the rest meanwhile.
		Collected: p.Kind == casefile.Heap && t.fresh,
		File:      file, Kind: p.Kind, Phase: phase, Taken: p.Taken.UTC(), Seconds: p.Seconds, Pause: p.Pause.Seconds(),
		Note:     p.Note,
		GoFormat: isPprof(p.Kind),
	}, p.Data)
	if p.Kind == casefile.Trace && phase == casefile.During && p.Seconds > 0 {
		t.w.traceRate(float64(len(p.Data)) / p.Seconds)
	}
}

// traceRate keeps how many bytes of trace the target makes a second.
func (w *Watch) traceRate(rate float64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.status.TraceRate = rate
}

// extensions of files that are not pprof's.
func extension(kind string) string {
	switch kind {
	case casefile.GoroutineDump, casefile.Prometheus:
		return ".txt"
	case casefile.Trace:
		return ".out"
	case casefile.Metrics, casefile.Runtime, casefile.HeapRefs, casefile.Neighbours:
		return ".json"
	}
	if isPprof(kind) {
		return ".pb.gz"
	}
	return ".txt"
}

// isPprof reports whether `go tool pprof` reads evidence of a kind.
func isPprof(kind string) bool {
	return slices.Contains([]string{casefile.CPU, casefile.Heap, casefile.Allocs, casefile.Goroutine, casefile.Mutex,
		casefile.Block, casefile.ThreadCreate, casefile.GoroutineLeak}, kind)
}

// fileName is the name of evidence in the case. Evidence from the trouble itself has the plain name.
func fileName(kind string, phase casefile.Phase) string {
	if phase == casefile.During {
		return kind + extension(kind)
	}
	return kind + "-" + string(phase) + extension(kind)
}

// A sampling is samples as evidence.
type sampling struct {
	kind, file string
	phase      casefile.Phase
	samples    []vitals.Sample
	catalog    *vitals.Catalog
	absent     map[string]string // why signals are missing
}

func (t *taking) addVitals(samples []vitals.Sample, file string, phase casefile.Phase) {
	t.addSamples(sampling{casefile.Vitals, file, phase, samples, t.w.catalog, t.w.absent()})
}

func (t *taking) addSamples(s sampling) {
	if len(s.samples) == 0 {
		return
	}
	var b bytes.Buffer
	if err := vitals.WriteJSONL(&b, s.samples, s.catalog, s.absent); err != nil {
		t.miss(s.kind, s.phase, err)
		return
	}
	first, last := s.samples[0].Time, s.samples[len(s.samples)-1].Time
	t.add(casefile.Evidence{
		File: s.file, Kind: s.kind, Phase: s.phase, Taken: first.UTC(), Seconds: last.Sub(first).Seconds(),
	}, b.Bytes())
}

// add writes evidence into the case. The writer records a failure in the case; earlier evidence stays.
func (t *taking) add(e casefile.Evidence, data []byte) {
	if err := t.out.Add(e, data); err != nil {
		if isFull(err) {
			t.full.Store(true)
		}
		t.w.fail(err)
		t.w.emit(Event{Kind: Missed, CaseID: t.job.id, Err: err})
		return
	}
	e.Bytes = int64(len(data))
	captured := Event{Kind: Captured, CaseID: t.job.id, Evidence: e}
	if e.Kind == casefile.CPU && t.w.cfg.OnEvent != nil {
		captured.Data = slices.Clone(data) // the buffer may be used again
	}
	t.w.emit(captured)
}

func (t *taking) miss(kind string, phase casefile.Phase, err error) {
	if !t.askAgain(kind) || !t.late.keep(kind, phase, err) {
		t.out.Missing(kind, phase, err.Error())
	}
	var empty *instance.EmptyError
	if errors.As(err, &empty) { // ordinary: most services do not record mutex and block profiles
		return
	}
	err = fmt.Errorf("%s: %w", kind, err)
	if !Refused(err) { // a rejection is not a failure, and Status.Budget shows it
		t.w.fail(err)
	}
	t.w.emit(Event{Kind: Missed, CaseID: t.job.id, Err: err})
}

// attachTimeout bounds an attachment that does not say how long it may take.
const attachTimeout = 10 * time.Second

func (t *taking) attach(ctx context.Context, a Attachment) {
	ctx, cancel := context.WithTimeout(ctx, orDefault(a.Within, attachTimeout))
	defer cancel()
	phase := casefile.During
	if a.Last {
		phase = casefile.After
	}
	e := casefile.Evidence{File: fileName(a.Kind, phase), Kind: a.Kind, Phase: phase, Taken: time.Now().UTC()}
	data, err := inTime(ctx, "taking "+a.Kind, a.Take)
	switch {
	case err == nil && len(data) == 0:
		err = errors.New("it is empty")
	case err == nil && len(data) > maxAttachment:
		err = fmt.Errorf("it is larger than %d MiB", maxAttachment>>20)
	}
	if err != nil {
		t.miss(a.Kind, phase, err)
		return
	}
	t.add(e, data)
}

const maxAttachment = 32 << 20
