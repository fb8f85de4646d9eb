package diagnose

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// TestLimit runs on a fake clock. cpu is the CPU time that the process has used after a given time.
func TestLimit(t *testing.T) {
	type reading = func(clock time.Duration) (cpu time.Duration, ok bool)
	share := func(of float64) reading {
		return func(clock time.Duration) (time.Duration, bool) { return time.Duration(of * float64(clock)), true }
	}
	unknown := func(time.Duration) (time.Duration, bool) { return 0, false }
	freed := func(clock time.Duration) (time.Duration, bool) { // 3 s in the first minute, then all
		return min(clock, time.Minute)/20 + max(clock-time.Minute, 0), true
	}
	for _, c := range []struct {
		name   string
		cpu    reading
		ends   time.Duration // at the earliest; up to two looks later, which are a second apart
		reason string
	}{
		{"a CPU of its own", share(1), 20 * time.Second, "20s"},
		{"four CPUs", share(4), 20 * time.Second, "20s"},
		{"half a CPU", share(0.5), 40 * time.Second, "40.8 s, in which this process got 20.4 s of CPU time"},
		{"a fifth of one", share(0.2), 100 * time.Second, "101 s, in which this process got 20.1 s of CPU time"},
		{"hardly any", share(0.01), 300 * time.Second, "300 s, in which this process got 3 s of CPU time"},
		{"none, for it waits", share(0), 300 * time.Second, "300 s, in which this process got 0 s of CPU time"},
		{"a system that does not say", unknown, 20 * time.Second, "20s"},
		{"a load that ends", freed, 77 * time.Second, "77 s, in which this process got 20 s of CPU time"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				used := func() (time.Duration, bool) { return c.cpu(time.Since(start)) }
				ctx, cancel := withLimit(t.Context(), 20*time.Second, used)
				defer cancel()
				<-ctx.Done()
				if took := time.Since(start); took < c.ends || took > c.ends+2*time.Second {
					t.Errorf("it ended after %v, want %v", took, c.ends)
				}
				if got := stopReason(ctx); got != "not finished after "+c.reason {
					t.Errorf("it says %q, want %q", got, c.reason)
				}
			})
		})
	}
}

// TestLimitOfOthers: a caller that cancels, or sets a deadline of its own, gets no error about the limit.
func TestLimitOfOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		parent, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		ctx, cancel := withLimit(parent, 20*time.Second, func() (time.Duration, bool) { return 0, true })
		defer cancel()
		<-ctx.Done()
		if got := stopReason(ctx); got != "cancelled" {
			t.Errorf("it says %q, want cancelled", got)
		}
	})
}
