package holmes

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/vitals"
	"github.com/google/pprof/profile"
)

func TestGoroutineDump(t *testing.T) {
	t.Parallel()
	told, log := make(keeper, 10), newMemo()
	h := fast(t, WithLogger(log), WithProfileReporter(told), WithGoroutineDump(1, 1000, 1, 0, time.Hour))
	h.EnableGoroutineDump().Start()
	r := told.next(t, "goroutine")
	data, err := os.ReadFile(r.file)
	must(t, err)
	if !bytes.Equal(data, r.data) {
		t.Error("the reporter and the file got different profiles")
	}
	if _, err := profile.ParseData(data); err != nil {
		t.Errorf("the file is no profile: %v", err)
	}
	if r.reason != ReasonCurGreaterAbs || r.event != "" || !strings.HasPrefix(filepath.Base(r.file), "goroutine.") {
		t.Errorf("the dump is %s (%s), %q", r.file, r.reason, r.event)
	}
	if s := r.scene; s.CurVal < 2 || s.Avg < 2 || s.TriggerMin != 1 || s.TriggerDiff != 1000 || s.TriggerAbs != 1 ||
		s.CoolDown != time.Hour || !s.Enable {
		t.Errorf("the scene is %+v", s)
	}
	log.await(t,
		"[holmes.goroutine] [Holmes] pprof goroutine, config_min : 1, config_diff : 1000, config_abs : 1, config_max "+
			": 0, previous : [")
	log.await(t, "write to file "+r.file)
}

func TestTextDump(t *testing.T) {
	t.Parallel()
	told, log := make(keeper, 10), newMemo()
	h := fast(t, WithLogger(log), WithTextDump(), WithDumpToLogger(true), WithProfileReporter(told), always(time.Hour))
	h.EnableGoroutineDump().Start()
	r := told.next(t, "goroutine")
	data, err := os.ReadFile(r.file)
	must(t, err)
	if !strings.HasPrefix(string(data), "goroutine profile: total ") || !bytes.HasPrefix(r.data, data) {
		t.Errorf("the file begins with %.60q, and the reporter's with %.60q", data, r.data)
	}
	// holmes makes the profile part of the format string: every % in it is misprinted.
	log.await(t, "goroutine profile: \n"+string(data[:200]))
}

// holmes resets and refills the buffer whose bytes it has just reported.
func TestReporterBufferIsNotReused(t *testing.T) {
	t.Parallel()
	told := make(keeper, 10)
	h := fast(t, WithProfileReporter(told), WithThreadDump(1, 1000, 1, time.Hour), always(time.Hour))
	h.EnableThreadDump().EnableGoroutineDump().Start()
	threads := told.next(t, "threadcreate")
	goroutines := told.next(t, "goroutine")
	if threads.event != "thr-0" || goroutines.event != "thr-0" ||
		!strings.HasPrefix(filepath.Base(goroutines.file), "goroutine.thr-0.") {
		t.Errorf("the dumps are of %q and %q, want thr-0 both: the goroutine rule is quiet after a thread dump",
			threads.event, goroutines.event)
	}
	for want, r := range map[string]report{"threadcreate": threads, "goroutine": goroutines} {
		p, err := profile.ParseData(r.data)
		if err != nil {
			t.Errorf("what the reporter kept of %s is damaged: %v", want, err)
		} else if p.SampleType[0].Type != want {
			t.Errorf("what the reporter kept of %s is now a profile of %s", want, p.SampleType[0].Type)
		}
	}
}

func TestGCHeapProfilesAreOneCycleApart(t *testing.T) {
	told := make(keeper, 10)
	h := fast(t, WithProfileReporter(told), WithMemoryLimit(1<<20), WithGCHeapDump(1, 1000, 1, time.Hour))
	h.EnableGCHeapDump().Start()
	stop := make(chan struct{})
	var garbage sync.WaitGroup
	garbage.Go(func() { // GC cycles, as a service has them
		for kept := [][]byte(nil); ; kept = append(kept, make([]byte, 1<<20)) {
			select {
			case <-stop:
				return
			default:
			}
			if len(kept) == 8 {
				kept = nil
			}
		}
	})
	first, second := told.next(t, "heap"), told.next(t, "heap")
	close(stop)
	garbage.Wait()
	if first.event != "heap-0" || second.event != "heap-0" || first.file == second.file {
		t.Errorf("the dumps are %s and %s, of %q and %q; want two of heap-0", first.file, second.file, first.event,
			second.event)
	}
}

func TestMemoryDump(t *testing.T) {
	t.Parallel()
	told := make(keeper, 10)
	h := fast(t, WithProfileReporter(told), WithMemoryLimit(1<<20), WithMemDump(1, 1000, 80, time.Hour))
	h.EnableMemDump().Start()
	if r := told.next(t, "heap"); r.scene.CurVal < 80 || !strings.HasPrefix(filepath.Base(r.file), "mem.") {
		t.Errorf("the dump is %s at %d %%", r.file, r.scene.CurVal)
	}
}

func TestStopTwice(t *testing.T) {
	h := fast(t)
	h.Stop() // before any Start
	h.Start()
	h.Start()
	h.Stop()
	h.Stop()
}

func TestStartAfterStop(t *testing.T) {
	t.Parallel()
	told := make(keeper, 100)
	h := fast(t, WithProfileReporter(told), always(0))
	h.EnableGoroutineDump()
	for range 2 {
		h.Start()
		told.next(t, "goroutine")
		h.Stop()
		for len(told) > 0 {
			<-told
		}
	}
}

func TestSetWhileRunning(t *testing.T) {
	told := make(keeper, 1000)
	h := fast(t, WithProfileReporter(told))
	h.Start()
	var setters sync.WaitGroup
	for i := range 8 {
		setters.Go(func() {
			for n := range 20 {
				if err := h.Set(WithCPUDump(n, i, 70, time.Minute), WithDumpPath(h.options().DumpPath),
					WithCollectInterval("200ms")); err != nil {
					t.Error(err)
				}
				h.EnableCPUDump().DisableCPUDump().EnableMemDump().DisableProfileReporter()
				h.EnableProfileReporter()
				h.Status()
			}
		})
	}
	setters.Wait()
	must(t, h.Set(always(0), WithCollectInterval("100ms")))
	h.EnableGoroutineDump()
	told.next(t, "goroutine")
}

// holmes reads a new interval only after the old one has passed, and never stops the old ticker.
func TestCollectIntervalChange(t *testing.T) {
	t.Parallel()
	told := make(keeper, 10)
	h := fast(t, WithCollectInterval("1h"), WithProfileReporter(told), always(0))
	h.EnableGoroutineDump().Start()
	must(t, h.Set(WithCollectInterval("100ms")))
	told.next(t, "goroutine")
}

// A reporter that does what no reporter should, and signals that it was called.
type rogue struct {
	called chan struct{}
	do     func() error
}

func (r *rogue) Report(string, string, ReasonType, string, time.Time, []byte, Scene) error {
	select {
	case r.called <- struct{}{}:
	default:
	}
	return r.do()
}

func (r *rogue) await(t *testing.T) {
	t.Helper()
	select {
	case <-r.called:
	case <-time.After(patience):
		t.Fatal("the reporter was not called")
	}
}

func TestReporterPanic(t *testing.T) {
	t.Parallel()
	log := newMemo()
	r := &rogue{make(chan struct{}), func() error { panic("rogue") }}
	h := fast(t, WithLogger(log), WithProfileReporter(r), always(0))
	h.EnableGoroutineDump().Start()
	r.await(t)
	r.await(t) // it is called again
	log.await(t, "the reporter panicked: rogue")
}

func TestReporterError(t *testing.T) {
	t.Parallel()
	log := newMemo()
	r := &rogue{make(chan struct{}), func() error { return errors.New("no network") }}
	h := fast(t, WithLogger(log), WithProfileReporter(r), always(0))
	h.EnableGoroutineDump().Start()
	r.await(t)
	r.await(t)
	log.await(t, "no network")
}

func TestReporterHangs(t *testing.T) {
	t.Parallel()
	log, release := newMemo(), make(chan struct{})
	r := &rogue{make(chan struct{}), func() error { <-release; return nil }}
	h := fast(t, WithLogger(log), WithProfileReporter(r), always(0))
	h.EnableGoroutineDump().Start()
	r.await(t)
	for range reporterQueue + 1 {
		h.ReportProfile("cpu", "a file", ReasonDiff, "", time.Now(), nil, Scene{})
	}
	log.await(t, "the reporter is behind")
	h.Stop() // returns nevertheless
	log.await(t, "was left alone")
	close(release)
}

// holmes ends its loop for good when a limit cannot be read. In this test the folder is a file for a while.
func TestErrorDoesNotEndTheLoop(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "dumps")
	must(t, os.WriteFile(path, nil, 0o600))
	told, log := make(keeper, 10), newMemo()
	h := fast(t, WithDumpPath(path), WithLogger(log), WithProfileReporter(told), always(0))
	h.EnableGoroutineDump().Start()
	log.await(t, "not watching, next try in")
	must(t, os.Remove(path))
	told.next(t, "goroutine")
}

// holmes creates the file first, and leaves it empty when the profiler is in use. Here the trip waits for its turn.
func TestNoEmptyProfileWhenProfilerIsBusy(t *testing.T) {
	var theirs bytes.Buffer
	must(t, pprof.StartCPUProfile(&theirs)) // somebody else's
	release := sync.OnceFunc(pprof.StopCPUProfile)
	defer release()
	told, log := make(keeper, 10), newMemo()
	h := fast(t, WithLogger(log), WithProfileReporter(told), WithCPUCore(1e-9), WithCPUDump(1, 1000, 1, time.Second))
	h.EnableCPUDump().Start()
	log.await(t, "[holmes.cpu]")
	release()
	told.next(t, "cpu")
	h.Stop()
	dumps, err := list(h.options().DumpPath)
	must(t, err)
	for _, d := range dumps {
		data, err := os.ReadFile(filepath.Join(h.options().DumpPath, d.name))
		must(t, err)
		if _, err := profile.ParseData(data); err != nil {
			t.Errorf("%s, of %d bytes, is no profile: %v", d.name, d.size, err)
		}
	}
}

// holmes sleeps for the five seconds of its profile inside the loop that samples.
func TestCPUProfileDoesNotStopTheSampling(t *testing.T) {
	told, log := make(keeper, 10), newMemo()
	h := fast(t, WithLogger(log), WithProfileReporter(told), WithCPUCore(1e-9), WithCPUDump(1, 1000, 1, time.Hour))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() { // something to sample
		for ctx.Err() == nil {
			runtime.Gosched()
		}
	}()
	h.EnableCPUDump().Start()
	log.await(t, "[holmes.cpu]")
	before := h.Status().Ticks
	dumped := told.next(t, "cpu")
	p, err := profile.ParseData(dumped.data)
	must(t, err)
	phases := make(map[string]int)
	for _, s := range p.Sample {
		phases[strings.Join(s.Label[phaseLabel], " ")]++
	}
	if phases["before"] == 0 || phases["after"] == 0 || phases["before"]+phases["after"] != len(p.Sample) ||
		dumped.event != "" {
		t.Errorf("%d samples are of %v, want each of before or after the trip", len(p.Sample), phases)
	}
	if d := time.Duration(p.DurationNanos); d <= cpuProfileOn*9/10 {
		t.Errorf("the profile is of %s, want the %s after the trip and some time before", d, cpuProfileOn)
	}
	// A loop that waits for the profile takes at most one sample. On an idle machine it is 40.
	if ticks := h.Status().Ticks - before; ticks < 3 {
		t.Errorf("%d samples were taken during a CPU profile of %s; want 40, at least 3", ticks, cpuProfileOn)
	}
}

// Rules trip while a CPU profile is taken, each second here. holmes' loop stands still meanwhile: one profile, one
// report.
func TestCPUDumpIsReportedOnce(t *testing.T) {
	told := make(keeper, 10)
	h := fast(t, WithProfileReporter(told), WithCPUCore(1e-9), WithCPUDump(1, 1000, 1, time.Second))
	h.EnableCPUDump().Start()
	first, second := told.next(t, "cpu"), told.next(t, "cpu")
	if d := second.at.Sub(first.at); d < cpuProfileOn {
		t.Errorf("reports of trips %s apart, which one profile of %s shows", d, cpuProfileOn)
	}
	if first.file == second.file || bytes.Equal(first.data, second.data) {
		t.Errorf("%s was reported twice", first.file)
	}
}

// The case of the memory trip has a short CPU profile, which may be over when the CPU trip joins it. That gets one of
// its own at once, and no case.
func TestCPUTripThatJoinedAnotherCase(t *testing.T) {
	told := make(keeper, 10)
	h := fast(t, WithProfileReporter(told), WithMemoryLimit(1<<20), WithMemDump(1, 1000, 1, time.Hour),
		WithCPUCore(1e-9), WithCPUDump(1, 1000, 1, time.Hour))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() { // something to sample
		for ctx.Err() == nil {
			runtime.Gosched()
		}
	}()
	h.EnableMemDump().EnableCPUDump().Start()
	dumped := told.next(t, "cpu")
	h.Stop()
	p, err := profile.ParseData(dumped.data)
	must(t, err)
	if !slices.ContainsFunc(p.Sample, func(s *profile.Sample) bool { return s.HasLabel(phaseLabel, "before") }) {
		t.Error("the dump lacks the seconds before the trip")
	}
	if d := time.Duration(p.DurationNanos); d < cpuProfileOn*9/10 {
		t.Errorf("the profile is of %s, want the %s after the trip", d, cpuProfileOn)
	}
	cases, err := filepath.Glob(filepath.Join(h.options().DumpPath, casesFolder, "2*"))
	must(t, err)
	if len(cases) != 1 || !strings.Contains(cases[0], "holmes-mem") {
		t.Errorf("the cases are %v, want that of the memory alone", cases)
	}
}

func TestTickDoesNotAllocate(t *testing.T) {
	h := mustNew(t).EnableCPUDump().EnableGoroutineDump()
	r := &run{h: h, seen: newObserver()}
	h.record.set(&h.opts, ofHost())
	s := ofHost()
	r.scale.Store(&s)
	e := casebook.Event{Kind: casebook.Sampled, Sample: vitals.NewSample(time.Now())}
	for i := range e.Sample.Values {
		e.Sample.Values[i] = 1
	}
	if n := testing.AllocsPerRun(100, func() { r.on(t.Context(), e) }); n > 0 {
		t.Errorf("a tick makes %g allocations, want none", n)
	}
}
