package diagnose_test

import (
	"testing"
)

// TestYieldingUnseen: where no sample shows who calls Gosched, the goroutine profile is used.
func TestYieldingUnseen(t *testing.T) {
	cpu := cpuProfile(t, 10, map[string]int64{
		"runtime.casgstatus runtime.execute runtime.schedule runtime.goschedImpl runtime.gosched_m runtime.mcall": 400,
		workStack: 600,
	})
	for _, tt := range []struct {
		name, goroutine string
		score           int
	}{
		{"a goroutine stands there", "runtime.Gosched main.await:7 main.serve:9", 74},
		{"none does: it may be the runtime that sweeps", "runtime.chanrecv1 main.idle:4 main.main:9", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := with(apart(0, dumpOf(crowd{1, "runnable", tt.goroutine, ""})), cpu)
			f, got := scoreOf(t, in, "cpu-spin")
			if got != tt.score || got > 0 && f.Where[0].Function != "main.await" {
				t.Errorf("scores %d at %v, want %d at main.await", got, f.Where, tt.score)
			}
		})
	}
}
