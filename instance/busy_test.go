package instance

import (
	"bytes"
	"context"
	"runtime"
	"runtime/pprof"
	"testing"

	"github.com/gocasebook/casebook/internal/recorder"
)

// TestHolderOfTheProfiler recognises who holds the profiler by a process's own stacks. It fails when a package moves
// and is no longer recognised; stacks of services that were built before the recorder moved are among its cases.
func TestHolderOfTheProfiler(t *testing.T) {
	for _, c := range []struct {
		name, stacks, who string
	}{
		{"a watch in this process", ownStacks(t), holders[0].who},
		{"a watch of before",
			"1 @ 0x1 0x2\n#\t0x1\tgithub.com/gocasebook/casebook/recorder.(*CPU).Run+0x2c\t/x/run.go:70\n",
			holders[0].who},
		{"Datadog", "#\t0x1\tgithub.com/DataDog/dd-trace-go/v2/profiler.(*profiler).run+0x1\t/x.go:1\n",
			"the Datadog profiler in the process"},
		{"nobody", "#\t0x1\tmain.main+0x2c\t/x/main.go:70\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			who := ""
			for i := range holders {
				if holders[i].on([]byte(c.stacks)) {
					who = holders[i].who
					break
				}
			}
			if who != c.who {
				t.Errorf("held by %q, want %q", who, c.who)
			}
		})
	}
}

// ownStacks are the goroutines of this process while its CPU profile windows roll.
func ownStacks(t *testing.T) string {
	t.Helper()
	cpu, err := recorder.NewCPU(recorder.CPUConfig{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- cpu.Run(ctx) }()
	for cpu.Status().State != recorder.Running {
		runtime.Gosched()
	}
	var b bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&b, 1); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	return b.String()
}
