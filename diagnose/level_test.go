package diagnose

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
)

// Stacks of a CPU profile, the leaf first.
const (
	gcStack = "runtime.scanobject runtime.gcDrain runtime.gcDrainMarkWorkerDedicated runtime.gcBgMarkWorker.func2 " +
		"runtime.systemstack runtime.gcBgMarkWorker"
	idleStack = "runtime.scanobject runtime.gcDrain runtime.gcDrainMarkWorkerIdle runtime.gcBgMarkWorker.func2 " +
		"runtime.systemstack runtime.gcBgMarkWorker"
	workStack  = "main.work main.main"
	otherStack = "main.other main.main"
	proxyStack = "crypto/sha256.block crypto/sha256.Sum256 github.com/x/y.(*Handler).ServeHTTP main.logging.func1 " +
		"net/http.(*conn).serve"
	netStack = "internal/runtime/syscall.Syscall6 syscall.write internal/poll.(*FD).Write net.(*conn).Write " +
		"main.reply main.main"
)

// cpuProfile is a CPU profile at 100 Hz with the given ticks per stack. With 0 seconds its duration is unknown.
func cpuProfile(t *testing.T, seconds float64, ticks map[string]int64) Evidence {
	t.Helper()
	p := &profile.Profile{
		SampleType:    []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType:    &profile.ValueType{Type: "cpu", Unit: "nanoseconds"},
		Period:        1e7,
		DurationNanos: int64(seconds * 1e9),
	}
	locations := make(map[string]*profile.Location)
	for stack, n := range ticks {
		s := &profile.Sample{Value: []int64{n, n * 1e7}}
		for _, name := range strings.Fields(stack) {
			l := locations[name]
			if l == nil {
				fn := &profile.Function{ID: uint64(len(locations) + 1), Name: name, Filename: fileOf(name)}
				l = &profile.Location{ID: fn.ID, Line: []profile.Line{{Function: fn, Line: 1}}}
				locations[name], p.Function, p.Location = l, append(p.Function, fn), append(p.Location, l)
			}
			s.Location = append(s.Location, l)
		}
		p.Sample = append(p.Sample, s)
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return Evidence{Name: "cpu.pb.gz", Data: b.Bytes()}
}

// fileOf is the file of a function in a build with -trimpath.
func fileOf(name string) string {
	slash := strings.LastIndexByte(name, '/') + 1
	pkg := name[:slash] + name[slash:][:strings.IndexByte(name[slash:], '.')]
	switch {
	case pkg == "main":
		return "example.com/app/main.go"
	case strings.Contains(pkg, "."):
		parts := strings.Split(pkg, "/")
		parts[min(len(parts), 3)-1] += "@v1.0.0"
		return strings.Join(parts, "/") + "/x.go"
	}
	return pkg + "/x.go"
}
