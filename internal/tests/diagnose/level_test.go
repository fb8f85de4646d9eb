package diagnose_test

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/profiletest"
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

// cpuProfile is profiletest.Ticks as evidence.
func cpuProfile(t *testing.T, seconds float64, ticks map[string]int64) diagnose.Evidence {
	t.Helper()
	return diagnose.Evidence{Name: "cpu.pb.gz", Data: profiletest.Ticks(t, seconds, ticks)}
}

func TestLevels(t *testing.T) {
	half := map[string]int64{gcStack: 500, workStack: 500}
	tests := []struct {
		name      string
		seconds   float64
		ticks     map[string]int64
		limits    casefile.Limits
		kind      string
		low, high int
	}{
		{"busy", 10, half, casefile.Limits{}, "gc-cpu", 75, 100},
		{"idle: 0.04 cores", 250, half, casefile.Limits{}, "gc-cpu", 0, 0},
		{"light: 0.1 cores", 100, half, casefile.Limits{}, "gc-cpu", 0, 0},
		{"light: 0.2 cores", 50, half, casefile.Limits{}, "gc-cpu", 25, 49},
		{"the same near a quota of 0.3", 50, half, casefile.Limits{CPUQuota: 0.3}, "gc-cpu", 75, 100},
		{"idle in cores, near a quota of 0.1", 200, half, casefile.Limits{CPUQuota: 0.1}, "gc-cpu", 75, 100},
		{"no duration", 0, half, casefile.Limits{}, "gc-cpu", capUnsure, capUnsure},
		{"idle marking under a quota is", 10, map[string]int64{idleStack: 900, workStack: 500, gcStack: 10},
			casefile.Limits{CPUQuota: 2}, "gc-cpu", 75, 100},
		{"idle marking is nobody's cost", 10, map[string]int64{idleStack: 900, workStack: 500, gcStack: 10},
			casefile.Limits{}, "gc-cpu", 0, 0},
		{"nor does it dilute the rest", 10, map[string]int64{idleStack: 900, workStack: 300, gcStack: 200},
			casefile.Limits{}, "gc-cpu", 75, 100},

		{"hot, with CPU to spare", 10, map[string]int64{workStack: 900, otherStack: 100}, casefile.Limits{CPUs: 8},
			"cpu-hot-function", capNotice, capNotice},
		{"hot, and the CPU is used up", 10, map[string]int64{workStack: 900, otherStack: 100}, casefile.Limits{CPUs: 1},
			"cpu-hot-function", 75, 100},
		{"the collector is not a function", 10, map[string]int64{gcStack: 900, workStack: 100}, casefile.Limits{},
			"cpu-hot-function", 0, 0},
		{"writing to connections is not a fault", 10, map[string]int64{netStack: 900, workStack: 100},
			casefile.Limits{}, "cpu-hot-function", 0, 0},
		{"a middleware passes on", 10, map[string]int64{proxyStack: 900, workStack: 100}, casefile.Limits{},
			"cpu-hot-function", 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := diagnose.Input{Evidence: []diagnose.Evidence{cpuProfile(t, tt.seconds, tt.ticks)}, Limits: tt.limits}
			if _, got := scoreOf(t, in, tt.kind); got < tt.low || got > tt.high {
				t.Errorf("%s scores %d, want %d to %d", tt.kind, got, tt.low, tt.high)
			}
		})
	}
}

// TestThinEvidence: too few samples give an undecided answer where the process may be busy, and nothing where it is
// idle.
func TestThinEvidence(t *testing.T) {
	few := map[string]int64{gcStack: 10, workStack: 10}
	for seconds, want := range map[float64]int{0: 1, 1: 1, 30: 0} {
		rep := diagnose.Run(t.Context(), diagnose.Input{Evidence: []diagnose.Evidence{cpuProfile(t, seconds, few)}},
			diagnose.Options{})
		n := 0
		for _, u := range rep.Undecided {
			if u.Kind == "gc-cpu" && strings.Contains(u.Reason, "20 samples") {
				n++
			}
		}
		if n != want || len(rep.Findings) != 0 {
			t.Errorf("20 samples over %v s: undecided %v, findings %v; want %d undecided and no finding", seconds,
				rep.Undecided, rep.Findings, want)
		}
	}
}

// TestPhases: when there are several profiles, those taken during the trouble count, together, and each is named.
func TestPhases(t *testing.T) {
	sick, well := map[string]int64{gcStack: 300, workStack: 300}, map[string]int64{workStack: 3000, otherStack: 3000}
	profileOf := func(name string, phase casefile.Phase, ticks map[string]int64) diagnose.Evidence {
		e := cpuProfile(t, 10, ticks)
		e.Name, e.Phase = name, phase
		return e
	}
	in := diagnose.Input{Evidence: []diagnose.Evidence{profileOf("before", casefile.Before, well),
		profileOf("during1", casefile.During, sick),
		profileOf("during2", casefile.During, sick), profileOf("after", casefile.After, well)}}
	f, got := scoreOf(t, in, "gc-cpu")
	if got < 75 {
		t.Fatalf("gc-cpu scores %d, want 75 or more from the profiles during the trouble", got)
	}
	if len(f.Evidence) != 2 || f.Evidence[0].File != "during1" || f.Evidence[1].File != "during2" {
		t.Errorf("rests on %v, want during1 and during2", f.Evidence)
	}
}
