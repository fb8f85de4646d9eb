package casebook_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/internal/leaktest"
	"github.com/gocasebook/casebook/internal/victimtest"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// TestMain builds the victim once and checks that no test leaves a goroutine behind.
func TestMain(m *testing.M) {
	os.Exit(run(m))
}

var victim string // the path of the built internal/victim; set once, before any test

func run(m *testing.M) int {
	if mode := os.Getenv(childVar); mode != "" {
		switch mode {
		case modeCount:
			return countGoroutines()
		case modeDumps:
			return beHeapDumpServer(os.Getenv(childDir))
		}
		return beChild(mode)
	}
	dir, err := os.MkdirTemp("", "victim")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	defer os.RemoveAll(dir)
	if victim, err = victimtest.Build(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	flag.Parse()
	if err := flag.Set("test.parallel", "8"); err != nil { // they mostly wait, whatever the number of cores
		panic(err)
	}
	return leaktest.Check(m.Run(), "casebook.(*Watch)") // idle HTTP connections are not ours
}

// functions lists the names of the functions in a profile.
func functions(t *testing.T, f *casefile.Folder, file string) string {
	t.Helper()
	data, err := f.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.ParseData(data)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	var names strings.Builder
	for _, fn := range p.Function {
		names.WriteString(fn.Name + "\n")
	}
	return names.String()
}

// start runs the victim and returns its address and a func that stops it.
func start(t *testing.T, args ...string) (addr string, stop func()) {
	t.Helper()
	return victimtest.Start(t, victim, args...)
}

func httpTarget(t *testing.T, addr string) *instance.HTTP {
	t.Helper()
	h, err := instance.NewHTTP(addr)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// when returns a rule on one signal, without warm-up.
func when(signal string, above float64, kinds ...string) []rule.Rule {
	return []rule.Rule{{
		Name: "test", Warmup: -1, Capture: kinds, When: rule.Condition{Signal: signal, Above: &above},
	}}
}

// A recorder keeps events. It ends a watch at an event of one kind.
type recorder struct {
	until  casebook.EventKind
	cancel context.CancelFunc
	also   func(casebook.Event) // nil for nobody

	mu     sync.Mutex // guards events
	events []casebook.Event
}

func (r *recorder) on(e casebook.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, e)
	if r.also != nil {
		r.also(e)
	}
	if e.Kind == r.until {
		r.cancel()
	}
}

func (r *recorder) first(kind casebook.EventKind) (casebook.Event, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.events {
		if e.Kind == kind {
			return e, true
		}
	}
	return casebook.Event{}, false
}

// patience limits the wait for what may come late on a busy machine.
const patience = 8 * time.Minute

// watch runs a watch until an event of a kind, and returns it.
func watch(t *testing.T, cfg casebook.Config, until casebook.EventKind) (casebook.Event, *recorder) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	r := &recorder{until: until, cancel: cancel, also: cfg.OnEvent}
	cfg.OnEvent = r.on
	if cfg.Dir == "" {
		cfg.Dir = t.TempDir()
	}
	w, err := casebook.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Run(ctx); err != nil {
		t.Fatal(err)
	}
	e, ok := r.first(until)
	if !ok {
		t.Fatalf("no %s in time; status %+v", until, w.Status())
	}
	return e, r
}

func TestCaseOfARealProcess(t *testing.T) {
	t.Parallel()
	addr, _ := start(t, "-objects", "3000000")
	rules := when("heap_objects", 2.9e6)
	rules[0].When.For = rule.Duration(2 * time.Second) // a heap profile is of the last GC cycle that finished
	var e casebook.Event
	var r *recorder
	// A starved process may not run a collection for seconds: its objects cost nothing.
	for span := 2 * time.Second; span <= 2*time.Minute; span *= 4 {
		e, r = watch(t, casebook.Config{
			Target: httpTarget(t, addr), Rules: rules, Interval: 200 * time.Millisecond, ProfileFor: span,
		}, casebook.Closed)
		if slices.ContainsFunc(e.Case.Findings, func(f casefile.Finding) bool { return f.Kind == "gc-pointer-heap" }) {
			break
		}
	}

	tripped, _ := r.first(casebook.Tripped)
	if tripped.CaseID != e.CaseID || filepath.Base(e.Path) != e.CaseID {
		t.Errorf("tripped case %s, closed %s at %s", tripped.CaseID, e.CaseID, e.Path)
	}
	f, err := casefile.Open(e.Path)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range f.Verify() {
		t.Error(err)
	}
	c := f.Case
	if c.Trigger.Rule != "test" || c.Trigger.Signal != "heap_objects" || c.Trigger.Value <= 2.9e6 ||
		c.Closed.Before(c.Opened) {
		t.Errorf("trigger %+v, opened %s, closed %s", c.Trigger, c.Opened, c.Closed)
	}
	if c.Target.Build.GoVersion == "" && runtime.GOOS == "linux" {
		t.Errorf("the target's build is not known: %+v", c.Target)
	}
	checkEvidence(t, f)
	for _, m := range c.Missing { // mutex and block profiles are off; the runtime may have no leak profile
		if m.Kind != casefile.Mutex && m.Kind != casefile.Block && m.Kind != casefile.GoroutineLeak {
			t.Errorf("%s is missing: %s", m.Kind, m.Reason)
		}
	}
	var found bool
	for _, finding := range c.Findings {
		if finding.Kind == "gc-pointer-heap" {
			found = true
			if len(finding.Where) == 0 || finding.Where[0].Function != "main.grow" {
				t.Errorf("the pointers live at %+v, want main.grow first", finding.Where)
			}
		}
	}
	if !found {
		t.Errorf("no gc-pointer-heap among the findings %+v, undecided %+v", c.Findings, c.Undecided)
	}
}

// checkEvidence wants every kind, in a form that its usual tool reads.
func checkEvidence(t *testing.T, f *casefile.Folder) {
	t.Helper()
	seen := make(map[string]int)
	for _, e := range f.Case.Evidence {
		seen[e.Kind]++
		data, err := f.Read(e.File)
		if err != nil {
			t.Error(err)
			continue
		}
		if e.Kind == casefile.Vitals {
			if _, samples, err := vitals.ReadJSONL(bytes.NewReader(data)); err != nil || len(samples) == 0 {
				t.Errorf("%s: %d samples, %v", e.File, len(samples), err)
			}
			continue
		}
		if _, err := profile.ParseData(data); e.GoFormat && err != nil {
			t.Errorf("%s: %v", e.File, err)
		}
	}
	for _, kind := range []string{casefile.CPU, casefile.Heap, casefile.Goroutine, casefile.Vitals} {
		if seen[kind] == 0 {
			t.Errorf("no evidence of kind %s", kind)
		}
	}
}

func TestHealthyProcessOpensNoCase(t *testing.T) {
	addr, _ := start(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	// On a busy machine even a healthy process gets CPU late, and three rules say so.
	rules := slices.DeleteFunc(rule.Default(), func(r rule.Rule) bool {
		return slices.Contains([]string{"no-answer", "probe-time", "cpu-pressure"}, r.Name)
	})
	for i := range rules {
		rules[i].Warmup = -1
	}
	dir, samples := t.TempDir(), 0
	w, err := casebook.New(casebook.Config{
		Target: httpTarget(t, addr), Rules: rules, Interval: 100 * time.Millisecond, Dir: dir,
		OnEvent: func(e casebook.Event) {
			if e.Kind == casebook.Sampled {
				samples++
			}
			if samples == 25 {
				cancel()
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Run(ctx); err != nil {
		t.Fatal(err)
	}
	if s := w.Status(); s.Cases != 0 || s.Ticks < 5 || s.Running {
		t.Errorf("status %+v", s)
	}
	if list, err := casefile.Dir(dir).List(); err != nil || len(list) != 0 {
		t.Errorf("cases %v, %v", list, err)
	}
}

// A watch that is stopped in the middle of a case keeps what the case has.
func TestStopKeepsTheEvidence(t *testing.T) {
	t.Parallel()
	addr, _ := start(t, "-park", "10")
	dir := t.TempDir()
	_, _ = watch(t, casebook.Config{
		Target: httpTarget(t, addr), Dir: dir, Interval: 100 * time.Millisecond,
		Rules: when("goroutines", 5, casefile.Goroutine, casefile.CPU), ProfileFor: time.Minute,
	}, casebook.Captured)
	list, err := casefile.Dir(dir).List()
	if err != nil || len(list) != 1 || list[0].Err != nil || list[0].Unfinished {
		t.Fatalf("cases %+v, %v; want one, finished", list, err)
	}
	c := list[0].Case
	if len(c.Evidence) == 0 || len(c.Missing) == 0 {
		t.Errorf("evidence %+v, missing %+v; want the first capture kept and the CPU profile missing", c.Evidence,
			c.Missing)
	}
}

func TestTargetThatDiesAndComesBack(t *testing.T) {
	t.Parallel()
	addr, stop := start(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	events := make(chan casebook.EventKind, 1000)
	w, err := casebook.New(casebook.Config{
		Target: httpTarget(t, addr), Interval: 100 * time.Millisecond, Dir: t.TempDir(),
		OnEvent: func(e casebook.Event) { events <- e.Kind },
	})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx) }()
	await := func(want casebook.EventKind) {
		t.Helper()
		for {
			select {
			case k := <-events:
				if k == want {
					return
				}
			case <-ctx.Done():
				t.Fatalf("no %s", want)
			}
		}
	}
	await(casebook.Sampled)
	stop()
	await(casebook.Lost)
	if s := w.Status(); s.LastError == nil || s.Failed == 0 {
		t.Errorf("status %+v of a lost target", s)
	}
	start(t, "-listen", addr)
	await(casebook.Found)
	if runtime.GOOS == "linux" {
		await(casebook.Restarted)
	}
	await(casebook.Sampled)
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestCaptureByHand(t *testing.T) {
	t.Parallel()
	addr, _ := start(t, "-park", "10")
	ctx, cancel := context.WithCancel(t.Context())
	running := make(chan struct{})
	w, err := casebook.New(casebook.Config{
		Target: httpTarget(t, addr), Dir: t.TempDir(), ProfileFor: time.Second,
		OnEvent: func(e casebook.Event) {
			if e.Kind == casebook.Started {
				close(running)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx) }()
	<-running
	f, err := w.Capture(ctx, "a person asked", casefile.Goroutine)
	if err != nil {
		t.Fatal(err)
	}
	if f.Case.Trigger.Rule != "manual" || f.Case.Trigger.Text != "a person asked" {
		t.Errorf("trigger %+v", f.Case.Trigger)
	}
	if err := w.Run(ctx); !errors.Is(err, casebook.ErrRunning) {
		t.Errorf("a second Run gave %v", err)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestConfigIsValidated(t *testing.T) {
	for _, c := range []struct {
		name string
		cfg  casebook.Config
		want string
	}{
		{"negative interval", casebook.Config{Interval: -time.Second}, "field Interval is -1s"},
		{"tiny interval", casebook.Config{Interval: time.Millisecond}, "field Interval"},
		{"negative history", casebook.Config{History: -1}, "field History"},
		{"endless history", casebook.Config{Interval: 100 * time.Millisecond, History: 1000 * time.Hour},
			"field History"},
		{"short profile", casebook.Config{ProfileFor: time.Millisecond}, "field ProfileFor"},
		{"unknown signal", casebook.Config{Rules: when("cpus", 1)}, "unknown signal"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := casebook.New(c.cfg)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want %q in it", err, c.want)
			}
		})
	}
}

func TestRunFailsAtOnce(t *testing.T) {
	addr, _ := start(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, addr, dir, want string
	}{
		{"nothing listens", "127.0.0.1:1", t.TempDir(), "connection refused"},
		{"the folder is a file", addr, file, "cannot hold cases"},
		{"the folder is below a file", addr, filepath.Join(file, "cases"), "not a folder"},
		{"the folder is on a read-only file system", addr, "/proc/cases", "cannot hold cases"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, err := casebook.New(casebook.Config{Target: httpTarget(t, c.addr), Dir: c.dir})
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Run(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want %q in it", err, c.want)
			}
		})
	}
}

func TestSelfWatch(t *testing.T) {
	dir := t.TempDir()
	closed := make(chan casebook.Event, 1)
	stop, err := casebook.Start(casebook.Config{
		Dir: dir, Rules: when("goroutines", 0, casefile.Goroutine, casefile.CPU), Interval: 100 * time.Millisecond,
		ProfileFor: time.Second,
		OnEvent: func(e casebook.Event) {
			if e.Kind == casebook.Closed {
				closed <- e
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	e := <-closed
	if len(e.Case.Evidence) < 3 || e.Case.Target.PID != os.Getpid() {
		t.Errorf("evidence %+v of %+v", e.Case.Evidence, e.Case.Target)
	}
	for range 2 { // Stop twice
		if err := stop(); err != nil {
			t.Error(err)
		}
	}
}

// TestHeapOfAQuietProcess: in a process that hardly ever collects, the second heap profile is of a later collection
// than the first, because one is run if none comes.
func TestHeapOfAQuietProcess(t *testing.T) {
	// The victim's own rate: with one sample per 512 KiB, two collections may show the same.
	t.Setenv("GODEBUG", "memprofilerate=1")
	addr, _ := start(t, "-park", "10")
	ctx, cancel := context.WithCancel(t.Context())
	running := make(chan struct{})
	w, err := casebook.New(casebook.Config{
		Target: httpTarget(t, addr), Dir: t.TempDir(), ProfileFor: time.Second, Interval: 500 * time.Millisecond,
		OnEvent: func(e casebook.Event) {
			if e.Kind == casebook.Started {
				close(running)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx) }()
	<-running
	f, err := w.Capture(ctx, "where is the memory", casefile.Heap)
	if err != nil {
		t.Fatal(err)
	}
	if first, second := allocated(t, f, "heap.pb.gz"), allocated(t, f, "heap-after.pb.gz"); second <= first {
		t.Errorf("%d bytes were allocated by the first heap profile and %d by the second, want more: they are of the "+
			"same collection",
			first, second)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// allocated is the number of bytes that a heap profile says were ever allocated.
func allocated(t *testing.T, f *casefile.Folder, file string) (sum int64) {
	t.Helper()
	data, err := f.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.ParseData(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range p.Sample {
		sum += s.Value[1] // alloc_space
	}
	return sum
}
