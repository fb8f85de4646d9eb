package diagnose

import (
	"testing"
	"time"

	"github.com/gocasebook/casebook/diagnose/traces"
)

// The recordings on a crowded machine are testdata/traces/crowded_*; those with a queue of their own are sched_*.
func TestStalledTrace(t *testing.T) {
	at := func(file string) traces.Stack { return traces.Stack{{Function: "f", File: file}} }
	for _, tt := range []struct {
		name    string
		longest time.Duration
		stack   traces.Stack
		wait    time.Duration
		stalled bool
	}{
		{"preempted in time", 29 * time.Millisecond, at("main.go"), 60 * time.Millisecond, false},
		{"off its CPU", 58 * time.Millisecond, at("main.go"), 110 * time.Millisecond, true},
		{"it ended by itself", 58 * time.Millisecond, nil, 110 * time.Millisecond, true},
		{"a queue besides", 58 * time.Millisecond, at("main.go"), 400 * time.Millisecond, false},
		{"copies in assembler", 300 * time.Millisecond, at("memmove_amd64.s"), 310 * time.Millisecond, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &traces.Summary{Goroutines: []traces.GoroutineType{{Name: "main.work",
				Runs: traces.Times{Count: 100, Max: tt.longest}, RunsStack: tt.stack}}}
			if why := stalledTrace(s, tt.wait); (why != "") != tt.stalled {
				t.Errorf("%q, want a reason: %t", why, tt.stalled)
			}
		})
	}
}
