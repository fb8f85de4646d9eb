package holmes

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/google/pprof/profile"
)

// An example is a program of holmes' folder example, and what doc/example.md does to it.
type example struct {
	name  string
	kind  string                                 // of the dump that it is for
	shows string                                 // a function that is in it
	cause string                                 // where the case's first finding is, if not there
	drive func(ctx context.Context, base string) // until ctx ends, which is when the dump is there
	env   []string
	least int  // percent of the CPU from which it dumps; 0 for dumps of other things
	large bool // it takes a gibibyte or more: one at a time
}

// spinning makes a program that spins get its share of the CPU on a busy machine: by threads.
var spinning = []string{"GOMAXPROCS=16"}

// examples are all nine.
var examples = []example{
	{name: "1gbslice", kind: "mem", shows: "main.make1gbslice", drive: again("/make1gb", 1), large: true},
	// The dump wants 3 % of the machine's memory. Without a limit it takes 100 clients and cores to fill that.
	{name: "alloc", kind: "mem", shows: "main.alloc", drive: again("/alloc", 8), large: true,
		env: []string{"GOGC=off", "GOMEMLIMIT=1500MiB"}},
	{name: "channelblock", kind: "goroutine", shows: "main.channelBlock", drive: wait("/chanblock", 100)},
	{name: "cpu_explode", kind: "cpu", shows: "main.cpuex.func1", drive: some("/cpuex", 1000), env: spinning,
		least: 20},
	{name: "deadlock", kind: "goroutine", shows: "main.req", cause: "main.lockorder1", drive: inOrder(
		wait("/lockorder1", 1), wait("/req", 100), wait("/lockorder2", 1))},
	{name: "deadloop", kind: "cpu", shows: "main.deadloop", drive: leave("/deadloop", 16), env: spinning, least: 10},
	{name: "run_in_docker", kind: "mem", shows: "main.dockermake1gb", drive: again("/docker", 1), large: true},
	{name: "slowlyleak", kind: "goroutine", shows: "main.leak.func1", drive: again("/leak", 1)},
	// Each request takes a thousand threads for good, and the runtime ends a process that wants more than 10,000.
	{name: "thread_trigger", kind: "thread", cause: "main.leak.func1.1", drive: wait("/leak", 1)},
}

// some asks that many times for each CPU of the machine, which is what dumps of CPU are a share of.
func some(path string, times int) func(context.Context, string) {
	return func(ctx context.Context, base string) {
		for range times * runtime.NumCPU() {
			if ctx.Err() == nil {
				get(ctx, base+path)
			}
		}
	}
}

// again asks over and over, with some clients.
func again(path string, clients int) func(context.Context, string) {
	return func(ctx context.Context, base string) {
		var all sync.WaitGroup
		for range clients {
			all.Go(func() {
				for ctx.Err() == nil {
					get(ctx, base+path)
					pause(ctx, 20*time.Millisecond)
				}
			})
		}
		all.Wait()
	}
}

// wait asks once with each client, and waits for answers that do not come.
func wait(path string, clients int) func(context.Context, string) {
	return func(ctx context.Context, base string) {
		for range clients {
			go get(ctx, base+path)
		}
	}
}

// leave asks with each client, and goes away after a while.
func leave(path string, clients int) func(context.Context, string) {
	return func(ctx context.Context, base string) {
		short, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
		defer cancel()
		wait(path, clients)(short, base)
		<-short.Done()
	}
}

func inOrder(steps ...func(context.Context, string)) func(context.Context, string) {
	return func(ctx context.Context, base string) {
		for _, step := range steps {
			step(ctx, base)
			pause(ctx, 20*time.Millisecond) // so little that no sample is taken between the first and the second
		}
	}
}

func get(ctx context.Context, url string) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return
	}
	resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	if err == nil {
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// compile builds an example with the drop-in. Beside the import, the port is one that is free and /tmp is a folder of
// the working directory, because all run at the same time.
func (e *example) compile(t *testing.T) (program, address string) {
	t.Helper()
	text := rewritten(t, filepath.Join(moduleDir(t, theirs), "example", e.name, e.name+".go"), true)
	address = freeAddress(t)
	for old, new := range map[string]string{`":10003"`: `"` + address + `"`, `"/tmp`: `"./tmp`} {
		if !bytes.Contains(text, []byte(old)) {
			t.Fatalf("%s has no %s", e.name, old)
		}
		text = bytes.ReplaceAll(text, []byte(old), []byte(new))
	}
	program = filepath.Join(t.TempDir(), e.name)
	run(t, "build", "-o", program, save(t, "main.go", text))
	return program, address
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// TestExamples: every example of holmes, driven as its documentation says, leaves the dump that it is there for, and a
// case, whose diagnosis names the cause first.
func TestExamples(t *testing.T) {
	t.Parallel()
	known, err := os.ReadDir(filepath.Join(moduleDir(t, theirs), "example"))
	if err != nil || len(known) != len(examples) {
		t.Errorf("holmes has %d examples (%v), and %d are run", len(known), err, len(examples))
	}
	for _, e := range examples {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			program, address := e.compile(t)
			e.run(t, program, address)
		})
	}
}

var memory sync.Mutex // held by the example that takes a gibibyte

func (e *example) run(t *testing.T, program, address string) {
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := start(ctx, dir, program)
	cmd.Env = append(cmd.Env, e.env...)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	over := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		cancel() // nothing comes of a process that has ended
		close(over)
	}()
	ended := func() { cancel(); <-over }
	defer ended()
	began := time.Now()
	e.warmUp(ctx, t, dir)
	if e.large {
		memory.Lock()
		defer memory.Unlock()
		defer ended() // before the next one begins
		roomFor(t)
	}
	driving, dumped := context.WithTimeout(ctx, e.patience())
	var driver sync.WaitGroup
	driver.Go(func() { e.drive(driving, "http://"+address) })
	file := await(driving, filepath.Join(dir, "tmp", e.kind+".*.log"))
	dumped()
	driver.Wait()
	if file == "" {
		ended()
		e.skipBusy(t, cmd, time.Since(began))
		t.Fatalf("there is no dump of %s after %s\n%s", e.kind, time.Since(began).Round(time.Second), said.Bytes())
	}
	e.check(t, file)
	at := await(ctx, filepath.Join(dir, "tmp", "casebook-cases", "[0-9]*", "case.json")) // .tmp-… is being taken
	if at == "" {
		ended()
		t.Fatalf("there is no case after %s: %v\n%s", time.Since(began).Round(time.Second), cmd.ProcessState,
			said.Bytes())
	}
	e.tell(ctx, t, filepath.Dir(at), time.Since(began))
	ended()
	if said.Len() > 0 {
		t.Errorf("it printed, which is the service's right:\n%s", said.Bytes())
	}
}

// patience is how long an example is driven at the most. One that spins gets its dump with the first or second sample,
// or the machine is too busy for it: ten samples of 2 s tell, and each second more takes a core from those that are
// waited for.
func (e *example) patience() time.Duration {
	if e.least > 0 {
		return 20 * time.Second
	}
	return 2 * time.Minute
}

// skipBusy skips where the example did not get as much CPU as its dump wants: the machine has other work, and holmes
// would not dump either.
func (e *example) skipBusy(t *testing.T, cmd *exec.Cmd, ran time.Duration) {
	t.Helper()
	used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if got := 100 * used.Seconds() / ran.Seconds() / float64(runtime.NumCPU()); got < float64(e.least) {
		t.Skipf("it got %.1f %% of the CPU and dumps from %d %% on: this machine is too busy to tell", got, e.least)
	}
}

// warmUp waits until ten intervals were sampled. The drop-in keeps its state in the folder of the cases when it starts;
// how many samples it took is not on disk, so that the clock is asked: ten intervals of 2 or 5 s.
func (e *example) warmUp(ctx context.Context, t *testing.T, dir string) {
	t.Helper()
	interval := 2 * time.Second
	if e.name == "channelblock" || e.name == "deadlock" {
		interval = 5 * time.Second
	}
	if await(ctx, filepath.Join(dir, "tmp", "casebook-cases")) == "" {
		t.Fatal("the drop-in has not started")
	}
	pause(ctx, 10*interval+interval/2) // so that no sample is taken while the first of many clients arrive
}

// await waits for a file whose name matches.
func await(ctx context.Context, pattern string) string {
	for ctx.Err() == nil {
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			return found[0]
		}
		pause(ctx, 50*time.Millisecond)
	}
	return ""
}

// check reads the dump: a text, or a profile of CPU.
func (e *example) check(t *testing.T, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if e.kind != "cpu" {
		if !strings.Contains(string(data), e.shows) {
			t.Errorf("the dump does not show %s:\n%.2000s", e.shows, data)
		}
		return
	}
	p, err := profile.ParseData(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range p.Function {
		if f.Name == e.shows {
			return
		}
	}
	t.Errorf("the profile of %s does not show %s", time.Duration(p.DurationNanos), e.shows)
}

// tell logs what the diagnosis found in the case of the trip, and whether that is the cause.
func (e *example) tell(ctx context.Context, t *testing.T, at string, took time.Duration) {
	t.Helper()
	f, err := casefile.Open(at)
	if err != nil {
		t.Fatalf("the case: %v", err)
	}
	in, errs := diagnose.CaseInput(f, diagnose.Options{}) // the example's process does it, too, but later
	if len(errs) > 0 {
		t.Error(errs)
	}
	diagnosis := diagnose.Run(ctx, in, diagnose.Options{}).Diagnosis
	findings := diagnosis.Findings
	if want := "holmes-" + e.kind; f.Case.Trigger.Rule != want {
		t.Errorf("the case is of %s, want %s", f.Case.Trigger.Rule, want)
	}
	lines := []string{fmt.Sprintf("dumped after %s: %s", took.Round(time.Second), f.Case.Trigger.Text)}
	for _, x := range findings {
		lines = append(lines, fmt.Sprintf("  %d %s: %s (%s:%d)", x.Score, x.Kind, x.Title, x.Where[0].Function,
			x.Where[0].Line))
	}
	if len(findings) == 0 {
		lines = append(lines, "  no finding")
	}
	want, pictured := cmp.Or(e.cause, e.shows), false
	if diagnosis.Picture != nil {
		for _, k := range diagnosis.Picture.Tripped {
			lines = append(lines, "  known: "+k.Text)
			pictured = pictured || strings.Contains(k.Text, strings.TrimPrefix(want, "main."))
		}
	}
	t.Log(strings.Join(lines, "\n"))
	// On a busy machine a gibibyte is made too seldom for a finding; then the picture of the trip has the line.
	if len(findings) == 0 && e.large && pictured {
		return
	}
	if len(findings) == 0 || findings[0].Where[0].Function != want {
		t.Errorf("the first finding is not at %s", want)
	}
}

// roomFor skips where a gibibyte is too much, or too little to be 3 % of the memory, which the examples want.
func roomFor(t *testing.T) {
	t.Helper()
	data, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		t.Skip("the machine's memory is read on Linux only")
	}
	read := func(name string) (kb int64) {
		if m := regexp.MustCompile(name + `: *(\d+) kB`).FindSubmatch(data); m != nil {
			_, _ = fmt.Sscan(string(m[1]), &kb)
		}
		return kb
	}
	if total, free := read("MemTotal"), read("MemAvailable"); total > 33<<20 || free < 3<<20 {
		t.Skipf("of %d MiB of memory %d are free: the example wants 1 GiB, and that to be 3 %% of it", total>>10,
			free>>10)
	}
}
