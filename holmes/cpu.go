package holmes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/own"
	"github.com/google/pprof/profile"
)

// A cpuDump is the CPU dump under way. There is one at a time: holmes' loop stands still while it profiles, so that one
// trip is one file and one report; here rules go on tripping meanwhile.
type cpuDump struct {
	dump
	caseID string // the case whose profile it waits for; "" once that is there
}

// endedCase is the case that ended last.
type endedCase struct{ id, path string } // path is "" if it could not be written

// cpuPatience is much longer than a case takes. Events may be dropped, the end of a case among them.
const cpuPatience = 2 * time.Minute

// dumpsCPU reports whether a CPU dump is under way.
func (r *run) dumpsCPU(now time.Time) bool {
	if r.seen.cpu.caseID != "" && now.Sub(r.seen.cpu.at) > cpuPatience {
		r.seen.cpu.caseID = ""
		r.dumping.Store(false)
	}
	return r.dumping.Load()
}

// A cpuPart is a CPU profile of a case.
type cpuPart struct {
	casefile.Evidence
	data []byte
}

func ended(e casefile.Evidence) time.Time {
	return e.Taken.Add(time.Duration(e.Seconds * float64(time.Second)))
}

// cpuParts are the CPU profiles of the last case, as they come.
type cpuParts struct {
	mu     sync.Mutex // guards what follows
	caseID string
	parts  []cpuPart
}

func (c *cpuParts) add(caseID string, p cpuPart) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.caseID != caseID {
		c.parts, c.caseID = nil, caseID
	}
	c.parts = append(c.parts, p)
}

// of are those of a case, if it is the last one.
func (c *cpuParts) of(caseID string) []cpuPart {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.caseID != caseID {
		return nil
	}
	return slices.Clone(c.parts)
}

// before are those of a case that had ended by a time, as the past.
func (c *cpuParts) before(caseID string, at time.Time) []cpuPart {
	parts := slices.DeleteFunc(c.of(caseID), func(p cpuPart) bool { return ended(p.Evidence).After(at) })
	for i := range parts {
		parts[i].Phase = casefile.Before
	}
	return parts
}

// awaitCPU dumps the CPU profile of the trip's case when it is there. It may be there: the loop that tells of the trip
// may have been kept from running.
func (r *run) awaitCPU(ctx context.Context, d dump, caseID string) {
	r.dumping.Store(true)
	r.seen.cpu = cpuDump{d, caseID}
	r.dumpCaptured(ctx)
	if r.seen.ended.id == caseID {
		r.caseEnded(ctx, r.seen.ended)
	}
}

// profileCPU dumps a profile for a trip that joined the case of an earlier one, whose CPU profile is short or over.
// What that case has is from before this trip.
func (r *run) profileCPU(ctx context.Context, d dump, caseID string) {
	r.dumping.Store(true)
	own.In(&r.work, func() {
		defer r.dumping.Store(false)
		r.guard(ctx, func(ctx context.Context) {
			p, err := r.watch.CPUProfile(ctx, r.profileFor)
			if err != nil {
				r.h.Errorf("[Holmes] no cpu dump: %v", err)
				return
			}
			e := casefile.Evidence{Kind: casefile.CPU, Phase: casefile.During, Taken: p.Taken, Seconds: p.Seconds}
			r.saveCPU(d, append(r.parts.before(caseID, p.Taken), cpuPart{e, p.Data}))
		})
	})
}

// captured takes up the CPU profiles of a case as they come: the case goes on for seconds after them.
func (r *run) captured(ctx context.Context, e *casebook.Event) {
	if len(e.Data) == 0 {
		return
	}
	r.parts.add(e.CaseID, cpuPart{e.Evidence, e.Data})
	r.dumpCaptured(ctx)
}

// dumpCaptured dumps what was captured, if it is what the dump under way waits for. If it is not enough, the end of the
// case is waited for.
func (r *run) dumpCaptured(ctx context.Context) {
	d, parts := r.seen.cpu.dump, r.parts.of(r.seen.cpu.caseID)
	if r.seen.cpu.caseID == "" || !enoughCPU(parts, d.at) {
		return
	}
	r.seen.cpu.caseID = ""
	own.In(&r.work, func() {
		defer r.dumping.Store(false)
		r.guard(ctx, func(context.Context) { r.saveCPU(d, parts) })
	})
}

// caseEnded dumps what a case has for the CPU trip that still waits for it. It is no job of the dumper, which has ended
// when Stop closes the last case.
func (r *run) caseEnded(ctx context.Context, c endedCase) {
	r.seen.ended = c
	if r.seen.cpu.caseID != c.id || c.id == "" {
		return
	}
	r.seen.cpu.caseID = ""
	if c.path == "" {
		r.dumping.Store(false)
		return
	}
	d := r.seen.cpu.dump
	own.In(&r.work, func() {
		defer r.dumping.Store(false)
		r.guard(ctx, func(context.Context) { r.dumpCPU(d, c.path) })
	})
}

// dumpCPU makes a case's CPU profiles holmes' file.
func (r *run) dumpCPU(d dump, path string) {
	folder, parts, err := cpuOf(path)
	if err != nil {
		r.h.Errorf("[Holmes] no cpu dump: %v", err)
		return
	}
	for _, m := range folder.Case.Missing {
		if m.Kind == casefile.CPU {
			r.h.Warnf("[Holmes] the cpu profile %s the trip is missing: %s", m.Phase, m.Reason)
		}
	}
	r.saveCPU(d, parts)
}

// cpuOf reads the CPU profiles of a case.
func cpuOf(path string) (folder *casefile.Folder, parts []cpuPart, err error) {
	if folder, err = casefile.Open(path); err != nil {
		return nil, nil, err
	}
	for _, e := range folder.Case.Evidence {
		if e.Kind != casefile.CPU {
			continue
		}
		data, err := folder.Read(e.File)
		if err != nil {
			return nil, nil, err
		}
		parts = append(parts, cpuPart{e, data})
	}
	return folder, parts, nil
}

func (r *run) saveCPU(d dump, parts []cpuPart) {
	data, err := joined(parts, d.at)
	if err != nil {
		r.h.Errorf("[Holmes] no cpu dump: %v", err)
		return
	}
	o := r.h.options()
	r.save(&o, d, cpu, data, data)
}

// phaseLabel is the label that tells, in a dump, what was sampled before the trip from what was after it: `go tool
// pprof -tagfocus=phase=before`. The case has them as files.
const phaseLabel = "phase"

// joined is one profile of the CPU profiles that concern a trip.
func joined(parts []cpuPart, trip time.Time) ([]byte, error) {
	var profiles []*profile.Profile
	for _, e := range parts {
		if !concerns(e.Evidence, trip) {
			continue
		}
		p, err := profile.ParseData(e.data)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", e.File, err)
		}
		phase := "after"
		if e.Phase == casefile.Before {
			phase = "before"
		}
		p.SetLabel(phaseLabel, []string{phase})
		profiles = append(profiles, p)
	}
	if len(profiles) == 0 {
		return nil, errors.New("there is no cpu profile of the trip")
	}
	whole, err := profile.Merge(profiles)
	if err != nil {
		return nil, fmt.Errorf("joining the cpu profiles: %w", err)
	}
	var b bytes.Buffer
	if err := whole.Write(&b); err != nil {
		return nil, fmt.Errorf("joining the cpu profiles: %w", err)
	}
	return b.Bytes(), nil
}

// concerns leaves out windows that ended long before the trip.
func concerns(e casefile.Evidence, trip time.Time) bool {
	return e.Phase != casefile.Before || ended(e).After(trip.Add(-recently))
}

// recently is longer than what a rule's sample looks back at, the interval, mostly is; a window of 10 s that ended in
// it may hold the spike.
const recently = 5 * time.Second

// enoughCPU reports whether profiles show the time after a trip, half as long as holmes' at least.
func enoughCPU(parts []cpuPart, trip time.Time) bool {
	return slices.ContainsFunc(parts, func(e cpuPart) bool {
		return e.Phase != casefile.Before && ended(e.Evidence).Sub(trip) >= cpuProfileFor/2
	})
}
